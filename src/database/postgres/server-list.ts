import { isIPv6 } from 'node:net';

export interface ServerAddress {
  /** A name, an address, or the directory of a socket. */
  readonly host: string;
  readonly port: number;
}

const SESSION_ATTRIBUTES = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;

/** libpq's target_session_attrs. */
export type SessionAttributes = (typeof SESSION_ATTRIBUTES)[number];

export interface ServerList {
  /** Empty if the environment or pg decides. */
  readonly servers: readonly ServerAddress[];
  readonly attributes: SessionAttributes | null;
  /** With the first server only, since pg and `URL` cannot read a list. */
  readonly urlOfFirst: string;
}

/** The message shows no part of the URL, since that may hold a password. */
export class ServerListError extends Error {}

const URL_PARTS = /^postgresql:\/\/([^/?]*@)?([^/?]*)(\/[^?]*)?(?:\?(.*))?$/;
const OWN_PARAMETERS = /^(?:host|port|target_session_attrs)=/;
const DEFAULT_PORT = '5432';
const LARGEST_PORT = 65_535;

export function parseServerList(url: string): ServerList {
  const [, credentials = '', authority = '', path = '', query = ''] = URL_PARTS.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  const attributes = readAttributes(parameters.get('target_session_attrs'));
  const servers = serversIn(authority, parameters);
  const [first, ...others] = servers;
  if (first === undefined || others.length === 0) return { servers, attributes, urlOfFirst: url };
  const options = query.split('&').filter((parameter) => !OWN_PARAMETERS.test(parameter));
  const withoutOptions = `postgresql://${credentials}${writeAddress(first)}${path}`;
  return {
    servers,
    attributes,
    urlOfFirst: [withoutOptions, options.join('&')].filter((part) => part !== '').join('?'),
  };
}

/** Without user, password and options. */
export function shownServers(url: string): string {
  const [, , authority = '', path = ''] = URL_PARTS.exec(url) ?? [];
  return `postgresql://${authority}${path}`;
}

export function writeAddress({ host, port }: ServerAddress): string {
  return `${isIPv6(host) ? `[${host}]` : encodeURIComponent(host)}:${port}`;
}

function readAttributes(text: string | null): SessionAttributes | null {
  const attributes = SESSION_ATTRIBUTES.find((known) => known === text);
  if (text !== null && attributes === undefined)
    throw new ServerListError(`target_session_attrs is one of ${SESSION_ATTRIBUTES.join(', ')}`);
  return attributes ?? null;
}

/** Parses `a,b:5433,[2001:db8::1]`; the parameters `host=a,b` and `port=5432,5433` override it. */
function serversIn(authority: string, parameters: URLSearchParams): ServerAddress[] {
  const named = parameters.get('host') ?? '';
  const servers = named === '' ? splitAuthority(authority) : named.split(',').map((host) => ({ host, port: '' }));
  const ports = parameters.get('port')?.split(',') ?? [];
  if (ports.length > 1 && ports.length !== servers.length)
    throw new ServerListError('port has one number for all servers, or as many as there are servers');
  return servers.map(({ host, port }, at) => addressOf(host, ports[at] ?? ports[0] ?? port));
}

function splitAuthority(authority: string): { host: string; port: string }[] {
  if (authority === '') return [];
  return authority.split(',').map((text) => {
    const [, bracketed, plain = '', port = ''] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d*))?$/.exec(text) ?? [];
    if (bracketed !== undefined && !isIPv6(bracketed)) throw new ServerListError(FORM);
    return { host: bracketed ?? decoded(plain), port };
  });
}

const FORM =
  'each server of the list is a name or an address, IPv6 in brackets, and may have a port as in db.example.org:5432';

function addressOf(host: string, portText: string): ServerAddress {
  const port = Number(portText === '' ? DEFAULT_PORT : portText);
  if (host === '' || /[\s,]/.test(host)) throw new ServerListError(FORM);
  if (!Number.isInteger(port) || port < 1 || port > LARGEST_PORT)
    throw new ServerListError('the port of a server is a number from 1 to 65535');
  return { host, port };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ServerListError('the name of a server has a % that begins no octet');
  }
}
