import type { Response } from 'express';
import type { ApiRequest } from '../../http/request.js';
import { looksLikeSecret } from './session-secret.js';

/** Browsers take the first name from https alone, and from nobody who serves another host or path (RFC 6265bis §4.1.3.2). */
const NAMES = { secure: '__Host-zw_session', plain: 'zw_session' } as const;

/** The secret in the cookie of a session; `null` without one. */
export function secretIn({ headers }: ApiRequest): string | null {
  const cookies = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  for (const name of [NAMES.secure, NAMES.plain]) {
    const [found, ...others] = cookies.filter((pair) => pair.startsWith(`${name}=`));
    const secret = found?.slice(name.length + 1);
    if (secret !== undefined && others.length === 0 && looksLikeSecret(secret)) return secret;
  }
  return null;
}

/** `Lax`, since a browser that comes back from an issuer would not send a `Strict` one. */
export function setCookie(response: Response, secret: string, isSecure: boolean): void {
  response.append('Set-Cookie', cookieOf(secret, isSecure));
}

export function forgetCookie(response: Response, isSecure: boolean): void {
  response.append('Set-Cookie', `${cookieOf('', isSecure)}; Max-Age=0`);
}

function cookieOf(value: string, isSecure: boolean): string {
  const name = isSecure ? NAMES.secure : NAMES.plain;
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
