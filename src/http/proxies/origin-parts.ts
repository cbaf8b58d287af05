import { isIP, isIPv4, isIPv6 } from 'node:net';

/** Host names of containers have underscores. */
const HOST_NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.?$/i;
const LONGEST_HOST_NAME = 253;
const HOST_AND_PORT = /^(\[[^\]]*\]|[^:[\]]+)(?::(\d{1,5}))?$/;
const PREFIX = /^(?:\/(?:[a-z0-9._~!$&*+=:@-]|%[0-9a-f]{2})+)*\/?$/i;
const LONGEST_PREFIX = 1024;
const MAX_PORT = 65_535;

export interface HostAndPort {
  /** An IPv6 address in brackets. */
  readonly host: string;
  /** `null`: that of the scheme. */
  readonly port: string | null;
}

/** @returns `null` for another scheme */
export function readScheme(text: string): 'http' | 'https' | null {
  const scheme = text.toLowerCase();
  return scheme === 'http' || scheme === 'https' ? scheme : null;
}

/** @returns `null` for what is no host, with or without a port (RFC 3986 §3.2.2) */
export function readHost(text: string): HostAndPort | null {
  const [, host, digits] = HOST_AND_PORT.exec(text) ?? [];
  if (host === undefined || !isHost(host)) return null;
  const port = digits === undefined ? null : readPort(digits);
  return digits !== undefined && port === null ? null : { host, port };
}

export function readPort(text: string): string | null {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= MAX_PORT ? String(port) : null;
}

/** @returns the path without a slash at its end; `null` for what is no path that others can be appended to */
export function readPrefix(text: string): string | null {
  if (text.length > LONGEST_PREFIX || !text.startsWith('/') || !PREFIX.test(text)) return null;
  // A browser would take these steps back.
  if (/\/(?:\.|%2e){1,2}(?:\/|$)/i.test(text)) return null;
  return text.replace(/\/$/, '');
}

/** The address of a node, with or without a port; `null` where it has none, as in `unknown` (RFC 7239 §6). */
export function readNodeAddress(text: string): string | null {
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
