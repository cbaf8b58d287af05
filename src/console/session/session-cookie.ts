import type { Response } from 'express';
import type { ApiRequest } from '../../http/request.js';
import { looksLikeSecret } from './session-secret.js';

const SIGN_IN_NAMES = { secure: '__Host-zw_sign_in', plain: 'zw_sign_in' } as const;
/** Seconds for a sign-in at the issuer. */
const SIGN_IN_TIME = 600;

/** Browsers accept the `__Host-` name only from this host over https (RFC 6265bis §4.1.3.2). */
const NAMES = { secure: '__Host-zw_session', plain: 'zw_session' } as const;

/** `null` without a session cookie. */
export function secretIn(request: ApiRequest): string | null {
  const secret = cookieIn(request, NAMES);
  return secret !== null && looksLikeSecret(secret) ? secret : null;
}

export function signInCookieIn(request: ApiRequest): string | null {
  return cookieIn(request, SIGN_IN_NAMES);
}

/** Ignores duplicate cookies. */
function cookieIn({ headers }: ApiRequest, { secure, plain }: CookieNames): string | null {
  const cookies = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  for (const name of [secure, plain]) {
    const [found, ...others] = cookies.filter((pair) => pair.startsWith(`${name}=`));
    if (found !== undefined && others.length === 0) return found.slice(name.length + 1);
  }
  return null;
}

interface CookieNames {
  readonly secure: string;
  readonly plain: string;
}

/** @param value only letters, digits and `-_.` */
export function setSignInCookie(response: Response, value: string, isSecure: boolean): void {
  response.append('Set-Cookie', `${cookieOf(value, isSecure, SIGN_IN_NAMES)}; Max-Age=${SIGN_IN_TIME}`);
}

export function forgetSignInCookie(response: Response, isSecure: boolean): void {
  response.append('Set-Cookie', `${cookieOf('', isSecure, SIGN_IN_NAMES)}; Max-Age=0`);
}

/** `Lax`, because a browser that returns from an issuer would not send a `Strict` cookie. */
export function setCookie(response: Response, secret: string, isSecure: boolean): void {
  response.append('Set-Cookie', cookieOf(secret, isSecure));
}

export function forgetCookie(response: Response, isSecure: boolean): void {
  response.append('Set-Cookie', `${cookieOf('', isSecure)}; Max-Age=0`);
}

function cookieOf(value: string, isSecure: boolean, { secure, plain }: CookieNames = NAMES): string {
  const name = isSecure ? secure : plain;
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
