import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IssuerClient, IssuerKeys } from '../../auth/jwt/issuer.client.js';
import { JwtOptions } from '../../auth/jwt/jwt.options.js';
import { askProvider, type ProviderAnswer, reasonOf } from '../../auth/identity-provider.js';
import { Clock, SECOND } from '../../common/clock.js';
import { fieldOf, textOf } from '../../common/json.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { ServiceError } from '../../common/service-error.js';
import { IssuerSignInOptions } from './session.options.js';
import type { StoredCredential } from './sessions.service.js';

/** In milliseconds. */
const TIME_LIMIT = 5000;
const SECRET_OCTETS = 32;
/** Status codes for a rejected code or token (RFC 6749 §5.2). */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403]);

/** The browser holds it during the sign-in. All unguessable values derive from it. */
export type SignInSecret = string;

export interface ReturnedCode {
  readonly code: string;
  readonly state: string;
  /** RFC 9207; `null` if the issuer does not send it. */
  readonly issuer: string | null;
}

/** Authorization code flow with PKCE (OpenID Connect Core 1.0 §3.1, RFC 7636). */
@Injectable()
export class IssuerSignIn {
  private readonly warning = new ThrottledLogger();

  constructor(
    private readonly issuer: IssuerClient,
    private readonly keys: IssuerKeys,
    private readonly jwt: JwtOptions,
    private readonly options: IssuerSignInOptions,
    private readonly clock: Clock,
  ) {}

  newSecret(): SignInSecret {
    return randomBytes(SECRET_OCTETS).toString('base64url');
  }

  async urlFor(secret: SignInSecret, redirectUri: string): Promise<string> {
    const { authorization } = await this.issuer.findEndpoints();
    const { clientId, scope, resource } = this.options;
    return withQuery(authorization, {
      ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, scope },
      ...{ state: derived(secret, 'state'), nonce: derived(secret, 'nonce') },
      ...{ code_challenge: hash('sha256', verifierOf(secret), 'base64url'), code_challenge_method: 'S256' },
      ...(resource === null ? {} : { resource }),
    });
  }

  /** @throws ServiceError `access_denied` if the code is not from this issuer or not for this browser, `unavailable` */
  async credentialFor(returned: ReturnedCode, secret: SignInSecret, redirectUri: string): Promise<StoredCredential> {
    const { code, state, issuer } = returned;
    if (!isSame(state, derived(secret, 'state')) || (issuer !== null && issuer !== this.jwt.issuer))
      throw notFromHere();
    const answer = await this.ask({
      ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifierOf(secret) },
    });
    const credential = this.credentialIn(answer);
    await this.assertMeant(textOf(fieldOf(answer?.body, 'id_token')), derived(secret, 'nonce'));
    if (credential === null) throw notFromHere();
    return credential;
  }

  /** `null` if the issuer rejects the refresh token. */
  async refreshed(refreshToken: string): Promise<StoredCredential | null> {
    const answer = await this.ask({ grant_type: 'refresh_token', refresh_token: refreshToken });
    const credential = this.credentialIn(answer);
    return credential && { ...credential, refreshToken: credential.refreshToken ?? refreshToken };
  }

  /** `null` if the issuer has no sign-out page. */
  async signOutUrl(returnTo: string): Promise<string | null> {
    try {
      const { endSession } = await this.issuer.findEndpoints();
      const query = { client_id: this.options.clientId, post_logout_redirect_uri: returnTo };
      return endSession && withQuery(endSession, query);
    } catch {
      // The session has ended anyway; the log has the reason.
      return null;
    }
  }

  /** `null` if the issuer refuses. */
  private async ask(parameters: Readonly<Record<string, string>>): Promise<ProviderAnswer | null> {
    const { token } = await this.issuer.findEndpoints();
    const { clientId, clientSecret, resource } = this.options;
    const form = new URLSearchParams({
      ...parameters,
      ...(resource === null ? {} : { resource }),
      ...(clientSecret === null ? { client_id: clientId } : {}),
    });
    const answer = await this.send(token, form.toString(), {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(clientSecret === null ? {} : { Authorization: basic(clientId, clientSecret) }),
    });
    if (answer.status === 200) return answer;
    const why = textOf(fieldOf(answer.body, 'error')) ?? 'without a reason';
    this.warning.warn(`the issuer refuses a sign-in with status ${answer.status}: ${why}`);
    if (REFUSED.has(answer.status)) return null;
    throw unreachable();
  }

  private async send(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<ProviderAnswer> {
    const signal = AbortSignal.timeout(TIME_LIMIT);
    try {
      return await askProvider({ provider: 'issuer', request: 'sign-in', url, method: 'POST', headers, body, signal });
    } catch (error) {
      this.warning.warn(`the issuer does not answer a sign-in: ${reasonOf(error)}`);
      throw unreachable();
    }
  }

  private credentialIn(answer: ProviderAnswer | null): StoredCredential | null {
    const token = textOf(fieldOf(answer?.body, 'access_token'));
    if (token === null) return null;
    const lifetime = fieldOf(answer?.body, 'expires_in');
    const endsAt = typeof lifetime === 'number' ? { endsAt: this.clock.now() + Math.floor(lifetime * SECOND) } : {};
    const refreshToken = textOf(fieldOf(answer?.body, 'refresh_token'));
    return { way: 'oidc', token, ...endsAt, ...(refreshToken === null ? {} : { refreshToken }) };
  }

  /** The code must be for this sign-in, not for one that an attacker has started (§3.1.3.7). */
  private async assertMeant(idToken: string | null, nonce: string): Promise<void> {
    const { issuer, algorithms, clockSkew } = this.jwt;
    // Loaded at the first sign-in, to keep the start fast.
    const { jwtVerify } = await import('jose');
    try {
      const { payload } = await jwtVerify(idToken ?? '', this.keys.find, {
        ...{ issuer, audience: this.options.clientId, algorithms: [...algorithms], clockTolerance: clockSkew },
        currentDate: new Date(this.clock.now() / 1000),
      });
      if (!isSame(textOf(payload.nonce) ?? '', nonce)) throw new Error('its nonce is another');
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      throw notFromHere();
    }
  }
}

function verifierOf(secret: SignInSecret): string {
  return derived(secret, 'verifier');
}

function derived(secret: SignInSecret, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('base64url');
}

function isSame(sent: string, expected: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function withQuery(url: string, query: Readonly<Record<string, string>>): string {
  const made = new URL(url);
  for (const [name, value] of Object.entries(query)) made.searchParams.set(name, value);
  return made.href;
}

/** RFC 6749 §2.3.1. */
function basic(name: string, secret: string): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(name)}:${encodeURIComponent(secret)}`).toString('base64')}`;
}

function notFromHere(): ServiceError {
  return new ServiceError('access_denied', 'The issuer does not confirm this sign-in; begin again.');
}

function unreachable(): ServiceError {
  return new ServiceError('unavailable', 'The issuer cannot be reached; try again.');
}

const CONSOLE = '/console';
/** Characters: the value goes into a cookie. */
const LONGEST = 1024;

/** Only paths below /console, to prevent open redirects. Returns the console itself for other values. */
export function returnPathOf(asked: unknown): string {
  if (typeof asked !== 'string' || asked.length > LONGEST || !asked.startsWith(`${CONSOLE}/`)) return CONSOLE;
  const base = 'http://console.invalid';
  const url = URL.canParse(asked, base) ? new URL(asked, base) : null;
  if (url?.origin !== base || !url.pathname.startsWith(`${CONSOLE}/`)) return CONSOLE;
  return url.pathname + url.search;
}
