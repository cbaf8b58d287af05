import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^bearer +(\S+) *$/i;
/** `Bearer` and a few blanks. */
const SCHEME_LENGTH = 10;

/** Characters. Keystone tokens have a few hundred, signed tokens with many roles a few thousand. */
export const LONGEST_TOKEN = 8192;

/** Returns the token, or `null` if absent or too long. Also `null` for two tokens in one request, even equal ones. */
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
