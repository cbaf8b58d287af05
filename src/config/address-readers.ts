import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

import { reader } from './readers.js';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const HOST_NAME = new RegExp(`^(?:${LABEL}\\.)*${LABEL}$`, 'i');
const LONGEST_HOST_NAME = 253;

/** RFC 1123 §2.1; a name whose last label is a number is a mistyped IPv4 address. */
function isHostName(text: string): boolean {
  return text.length <= LONGEST_HOST_NAME && HOST_NAME.test(text) && !/(?:^|\.)\d+$/.test(text);
}

const MAX_PORT = 65_535;

export const listenAddress = reader('address:port as in 127.0.0.1:9001 or [::1]:9001, port 0 to 65535', (text) => {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(0|[1-9]\d{0,4})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > MAX_PORT) return undefined;
  if (bracketed !== undefined) return isIPv6(bracketed) ? { host: bracketed, port } : undefined;
  const host = plain ?? '';
  return isIPv4(host) || isHostName(host) ? { host, port } : undefined;
});

/** Address of a name server to query. */
export const nameServerAddress = reader('address:port as in 192.0.2.53:53 or [2001:db8::53]:53', (text) => {
  const at = listenAddress.read(text);
  return at === undefined || at.port === 0 || isIP(at.host) === 0 ? undefined : at;
});

/** `/0` would let every client on the Internet claim any address. */
export const network = reader(
  'IP address or network as in 192.0.2.1 or 2001:db8::/32',
  (text) => {
    const [, address = '', prefix] = /^([^/%]+)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? [];
    const family = isIP(address);
    if (family === 0) return undefined;
    return Number(prefix ?? 1) <= (family === 4 ? 32 : 128) ? text : undefined;
  },
  (text) => (/\/0+$/.test(text) ? 'a network of /0 is every address there is' : undefined),
);

/** HTTP URL to which a path can be appended. */
export const httpBase = reader('http:// or https:// URL without credentials, query and fragment', (text) => {
  const url = parseHttp(text);
  return url?.href.replace(/\/+$/, '');
});

/** OIDC Discovery 1.0 §2: compared octet by octet, so kept unchanged, including trailing slashes. */
export const issuer = reader(
  'https:// URL, or http:// on loopback, without credentials, query and fragment',
  (text) => {
    const url = parseHttp(text);
    return url !== undefined && isProtected(url) ? text : undefined;
  },
  (text) => (/^http:\/\//i.test(text) ? 'over http:// anybody on the way could replace its keys' : undefined),
);

/** Whether TLS or loopback protects the content in transit. */
export function isProtected({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, '')));
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** A host name other than localhost may resolve to any address, so it counts as public. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK.check(host.replace(/%.*/s, ''), family === 4 ? 'ipv4' : 'ipv6');
}

/** RFC 6454 §6.2: the form of the Origin header. */
export const origin = reader('origin as in https://dns.example.org', (text) => {
  const url = parseHttp(text);
  return url?.pathname === '/' ? url.origin : undefined;
});

/** `URL` itself accepts blanks, backslashes and missing slashes. */
function parseHttp(text: string): URL | undefined {
  if (!/^https?:\/\/[^\s\\?#@]+$/i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text);
}

/** An absolute host name. src/dns checks the rest. */
export const serverName = reader('host name with a final dot as in ns1.example.org.', (text) => {
  return text.endsWith('.') && isHostName(text.slice(0, -1)) ? text : undefined;
});
