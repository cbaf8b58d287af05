import type { IncomingHttpHeaders } from 'node:http';
import { type ForwardedElement, parseForwarded } from './forwarded-header.js';
import { type HostAndPort, readHost, readNodeAddress, readPort, readPrefix, readScheme } from './origin-parts.js';

const DEFAULT_PORTS = { http: '80', https: '443' };

/** Whether an address is that of a trusted proxy. */
export type IsTrusted = (address: string) => boolean;

/** The other end of the connection that a request comes by. */
export interface Peer {
  readonly address: string;
  readonly scheme: 'http' | 'https';
}

/** What proxies say of a request, as far as they are trusted and it is valid. */
interface Said {
  /** The client first, its proxies behind it. */
  readonly addresses: readonly string[];
  readonly scheme: 'http' | 'https' | null;
  readonly host: HostAndPort | null;
  readonly port: string | null;
}

/**
 * Replaces what proxies say in the headers of a request by what is valid of it, in the form that Express reads: one
 * `X-Forwarded-Proto`, `X-Forwarded-Host` with the port, and `X-Forwarded-Prefix`, and the addresses in `X-Forwarded-For`. `Forwarded`
 * counts where there is no `X-Forwarded-For`, `-Proto`, `-Host` or `-Port` (behaviour 1.7): a proxy that sets these passes on
 * whatever its client writes into `Forwarded`.
 * @param headers are changed
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

/** The values of a header that may be a list; `undefined`: it is not there. */
function valuesOf(headers: IncomingHttpHeaders, name: string): readonly string[] | undefined {
  const header = headers[name];
  return header === undefined
    ? undefined
    : String(header)
        .split(',')
        .map((value) => value.trim());
}

/** The value of the proxy that is next to the client. A header with a value that is not valid does not count, all of it. */
function firstOf<T>(values: readonly string[] | undefined, read: (text: string) => T | null): T | null {
  const found = (values ?? []).map(read);
  return found.includes(null) ? null : (found[0] ?? null);
}

/** Each proxy adds the path that it takes away, at the end. */
function prefixIn(headers: IncomingHttpHeaders): string | null {
  const prefixes = (valuesOf(headers, 'x-forwarded-prefix') ?? []).map(readPrefix);
  if (prefixes.includes(null)) return null;
  return readPrefix(prefixes.join('')) ?? null;
}

/** Those behind the last one that is none: what is in front of that may be anybody's. */
function knownAddresses(nodes: readonly string[]): string[] {
  const addresses = nodes.map(readNodeAddress);
  return addresses.slice(addresses.lastIndexOf(null) + 1).filter((address) => address !== null);
}

/** Elements are believed from the last one on to the first one that a trusted proxy has added (RFC 7239 §8.1). */
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

/** The first that says it, `null` where none does; `undefined` where one says what is not valid. */
function nearest<T>(
  elements: readonly ForwardedElement[],
  name: string,
  read: (text: string) => T | null,
): T | null | undefined {
  const values = elements.map((element) => element.get(name)).filter((value) => value !== undefined);
  const found = values.map(read);
  return found.includes(null) ? undefined : (found[0] ?? null);
}

/** With the port unless it is that of the scheme; `null`: the `Host` of the request is right as it is. */
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
