import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^bearer +(\S+) *$/i;
/** `Bearer` and a few blanks. */
const SCHEME_LENGTH = 10;

/** Of any kind, in characters. Keystone's have some hundred; with many roles, signed ones have a few thousand. */
export const LONGEST_TOKEN = 8192;

/**
 * The token that was sent, `null` for none, and for one that is longer than `limit` characters. Two tokens in one request
 * are none, even when they are equal.
 */
export function tokenOf(headers: IncomingHttpHeaders, limit: number): string | null {
  const token = sentIn(headers, limit);
  return token === null || token === '' || token.length > limit ? null : token;
}

function sentIn(headers: IncomingHttpHeaders, limit: number): string | null {
  const own = headers['x-auth-token'];
  const { authorization } = headers;
  if (authorization === undefined) return typeof own === 'string' ? own : null;
  if (own !== undefined) return null;
  return BEARER.exec(authorization.slice(0, limit + SCHEME_LENGTH))?.[1] ?? null;
}
