import type { IncomingHttpHeaders } from 'node:http';
import { isIP, isIPv4, isIPv6 } from 'node:net';

const DEFAULT_PORTS = { http: '80', https: '443' };

export type IsTrusted = (address: string) => boolean;

export interface Peer {
  readonly address: string;
  readonly scheme: 'http' | 'https';
}

interface Said {
  /** The client first, then its proxies. */
  readonly addresses: readonly string[];
  readonly scheme: 'http' | 'https' | null;
  readonly host: HostAndPort | null;
  readonly port: string | null;
}

/**
 * Reduces the proxy headers to valid, trusted values for Express. Uses `Forwarded` only without `X-Forwarded-For`,
 * `-Proto`, `-Host` and `-Port` (behaviour 1.7): a proxy that sets these passes on a forged `Forwarded`.
 */
export function adoptProxyHeaders(headers: IncomingHttpHeaders, peer: Peer, isTrusted: IsTrusted): void {
  const isProxy = isTrusted(peer.address);
  const prefix = isProxy ? prefixIn(headers) : null;
  const said = isProxy ? saidIn(headers, isTrusted) : NOTHING;
  set(headers, 'x-forwarded-for', said.addresses.length === 0 ? null : said.addresses.join(', '));
  set(headers, 'x-forwarded-proto', said.scheme);
  set(headers, 'x-forwarded-host', hostFor({ ...said, scheme: said.scheme ?? peer.scheme }, headers));
  set(headers, 'x-forwarded-prefix', prefix);
  set(headers, 'x-forwarded-port', null);
}

const NOTHING: Said = { addresses: [], scheme: null, host: null, port: null };

function saidIn(headers: IncomingHttpHeaders, isTrusted: IsTrusted): Said {
  const [addresses, scheme, host, port] = (['for', 'proto', 'host', 'port'] as const).map((name) =>
    valuesOf(headers, `x-forwarded-${name}`),
  );
  if ([addresses, scheme, host, port].every((values) => values === undefined))
    return headers.forwarded === undefined ? NOTHING : saidInForwarded(headers.forwarded, isTrusted);
  return {
    addresses: knownAddresses(addresses ?? []),
    scheme: firstOf(scheme, readScheme),
    host: firstOf(host, readHost),
    port: firstOf(port, readPort),
  };
}

function valuesOf(headers: IncomingHttpHeaders, name: string): readonly string[] | undefined {
  const header = headers[name];
  return header === undefined
    ? undefined
    : String(header)
        .split(',')
        .map((value) => value.trim());
}

/** Returns the value of the proxy next to the client. One invalid value invalidates the header. */
function firstOf<T>(values: readonly string[] | undefined, read: (text: string) => T | null): T | null {
  const found = (values ?? []).map(read);
  return found.includes(null) ? null : (found[0] ?? null);
}

/** Each proxy appends the path that it removes. */
function prefixIn(headers: IncomingHttpHeaders): string | null {
  const prefixes = (valuesOf(headers, 'x-forwarded-prefix') ?? []).map(readPrefix);
  if (prefixes.includes(null)) return null;
  return readPrefix(prefixes.join('')) ?? null;
}

/** Addresses after the last invalid entry: a client may have forged those before it. */
function knownAddresses(nodes: readonly string[]): string[] {
  const addresses = nodes.map(readNodeAddress);
  return addresses.slice(addresses.lastIndexOf(null) + 1).filter((address) => address !== null);
}

/** Trusts the elements from the last one back to the first one that a trusted proxy added (RFC 7239 §8.1). */
function saidInForwarded(header: string, isTrusted: IsTrusted): Said {
  const elements = parseForwarded(header);
  if (elements === null) return NOTHING;
  const nodes = elements.map((element) => element.get('for') ?? 'unknown');
  let first = elements.length - 1;
  while (first > 0 && isTrustedNode(nodes[first] ?? '', isTrusted)) first -= 1;
  const believed = elements.slice(Math.max(0, first));
  const [scheme, host] = [nearest(believed, 'proto', readScheme), nearest(believed, 'host', readHost)];
  if (scheme === undefined || host === undefined) return NOTHING;
  return { addresses: knownAddresses(nodes), scheme, host, port: null };
}

function isTrustedNode(node: string, isTrusted: IsTrusted): boolean {
  const address = readNodeAddress(node);
  return address !== null && isTrusted(address);
}

/** First value; `null` if absent, `undefined` if any value is invalid. */
function nearest<T>(
  elements: readonly ForwardedElement[],
  name: string,
  read: (text: string) => T | null,
): T | null | undefined {
  const values = elements.map((element) => element.get(name)).filter((value) => value !== undefined);
  const found = values.map(read);
  return found.includes(null) ? undefined : (found[0] ?? null);
}

/** Includes the port unless it is the default. `null`: keep the `Host` of the request. */
function hostFor({ host, port, scheme }: Said & Pick<Peer, 'scheme'>, headers: IncomingHttpHeaders): string | null {
  if (host === null && port === null) return null;
  const named = host ?? readHost(headers.host ?? '');
  if (named === null) return null;
  const shown = host?.port ?? port;
  return shown === null || shown === DEFAULT_PORTS[scheme] ? named.host : `${named.host}:${shown}`;
}

function set(headers: IncomingHttpHeaders, name: string, value: string | null): void {
  if (value === null || value === '') Reflect.deleteProperty(headers, name);
  else headers[name] = value;
}

/** Host names of containers have underscores. */
const HOST_NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.?$/i;
const LONGEST_HOST_NAME = 253;
const HOST_AND_PORT = /^(\[[^\]]*\]|[^:[\]]+)(?::(\d{1,5}))?$/;
const PREFIX = /^(?:\/(?:[a-z0-9._~!$&*+=:@-]|%[0-9a-f]{2})+)*\/?$/i;
const LONGEST_PREFIX = 1024;
const MAX_PORT = 65_535;

interface HostAndPort {
  /** IPv6 addresses have brackets. */
  readonly host: string;
  /** `null`: default port of the scheme. */
  readonly port: string | null;
}

function readScheme(text: string): 'http' | 'https' | null {
  const scheme = text.toLowerCase();
  return scheme === 'http' || scheme === 'https' ? scheme : null;
}

function readHost(text: string): HostAndPort | null {
  const [, host, digits] = HOST_AND_PORT.exec(text) ?? [];
  if (host === undefined || !isHost(host)) return null;
  const port = digits === undefined ? null : readPort(digits);
  return digits !== undefined && port === null ? null : { host, port };
}

function readPort(text: string): string | null {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= MAX_PORT ? String(port) : null;
}

/** @returns the path without a trailing slash; `null` if invalid as a prefix */
function readPrefix(text: string): string | null {
  if (text.length > LONGEST_PREFIX || !text.startsWith('/') || !PREFIX.test(text)) return null;
  // A browser would resolve these segments.
  if (/\/(?:\.|%2e){1,2}(?:\/|$)/i.test(text)) return null;
  return text.replace(/\/$/, '');
}

/** With or without a port. `null` for other nodes such as `unknown` (RFC 7239 §6). */
function readNodeAddress(text: string): string | null {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(?:\d{1,5}|_[\w.-]+))?$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return isIP(address) === 0 || address.includes('%') ? null : address;
}

function isHost(host: string): boolean {
  if (host.startsWith('[')) return isIPv6(host.slice(1, -1)) && !host.includes('%');
  // A name whose last label is a number is a mistyped IPv4 address.
  if (/(?:^|\.)\d+\.?$/.test(host)) return isIPv4(host);
  return host.length <= LONGEST_HOST_NAME && HOST_NAME.test(host);
}

/** One element of a `Forwarded` header (RFC 7239 §4). Parameter names are in lower case. */
type ForwardedElement = ReadonlyMap<string, string>;

/** RFC 9110 §5.6.2, §5.6.4. */
const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const QUOTED = /"((?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*)"/y;
const BLANKS = /[\t ]*/y;

/**
 * RFC 7239 §4, several headers joined by commas. Accepts blanks around semicolons. Takes linear time and memory.
 * @returns the elements, that of the client's own proxy first; `null` if invalid
 */
export function parseForwarded(text: string): readonly ForwardedElement[] | null {
  const reading = new Reading(text);
  const elements: ForwardedElement[] = [];
  do {
    const element = readElement(reading);
    if (element === null) return null;
    // RFC 9110 §5.6.1.2: a list may have empty elements.
    if (element.size > 0) elements.push(element);
  } while (reading.takes(','));
  return reading.isAtEnd ? elements : null;
}

function readElement(reading: Reading): ForwardedElement | null {
  const element = new Map<string, string>();
  do {
    const name = reading.match(TOKEN)?.[0].toLowerCase();
    if (name === undefined) continue;
    const value = reading.takes('=') ? readValue(reading) : null;
    // RFC 7239 §4: each parameter occurs once in an element.
    if (value === null || element.has(name)) return null;
    element.set(name, value);
  } while (reading.takes(';'));
  return element;
}

function readValue(reading: Reading): string | null {
  const quoted = reading.match(QUOTED);
  if (quoted !== null) return (quoted[1] ?? '').replace(/\\(.)/g, '$1');
  return reading.match(TOKEN)?.[0] ?? null;
}

class Reading {
  private at = 0;

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    return this.at === this.text.length;
  }

  /** Matches here without skipping blanks. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }

  /** Takes a delimiter. Only commas and semicolons may have blanks around them. */
  takes(delimiter: ',' | ';' | '='): boolean {
    if (delimiter !== '=') this.match(BLANKS);
    if (this.text[this.at] !== delimiter) return false;
    this.at += 1;
    if (delimiter !== '=') this.match(BLANKS);
    return true;
  }
}
