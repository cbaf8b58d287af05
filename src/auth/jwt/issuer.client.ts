import { Injectable } from '@nestjs/common';
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { fieldOf, textOf } from '../../common/json.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { ServiceError } from '../../common/service-error.js';
import { isProtected } from '../../config/address-readers.js';
import { askProvider, reasonOf } from '../identity-provider.js';
import { JwtOptions } from './jwt.options.js';

/** In milliseconds, for discovery and keys together. */
const TIME_LIMIT = 5000;
/** In milliseconds: for how long its endpoints are not asked for again, and for how long after it has not answered. */
const ENDPOINTS_TIME = 600_000;
const PAUSE = 1000;
/** Behind the issuer (OpenID Connect Discovery 1.0 §4). */
const DISCOVERY = '/.well-known/openid-configuration';

/** Fetches the keys that an OIDC issuer publishes. */
@Injectable()
export class IssuerClient {
  private readonly warning = new ThrottledLogger();
  /** Whoever begins to sign in asks for them, and anybody may. */
  private endpoints: Promise<IssuerEndpoints> | null = null;
  /** In milliseconds of `performance.now()`. */
  private endpointsUntil = 0;

  constructor(private readonly options: JwtOptions) {}

  /**
   * Returns what finds the key of a token among those that are published now.
   * @throws ServiceError `unavailable` when the issuer does not say
   */
  async fetchKeys(): Promise<JWTVerifyGetKey> {
    const signal = AbortSignal.timeout(TIME_LIMIT);
    try {
      const document = await fetchJson('discovery', discoveryUrl(this.options.issuer), signal);
      const keys = await fetchJson('keys', this.addressIn(document), signal);
      const { createLocalJWKSet } = await import('jose');
      // It checks the keys that it is given.
      const found = createLocalJWKSet(keys as JSONWebKeySet);
      this.warning.over(`the issuer ${this.options.issuer} publishes its keys again`);
      return found;
    } catch (error) {
      this.warning.warn(`the keys of the issuer ${this.options.issuer} cannot be fetched: ${reasonOf(error)}`);
      throw keysUnavailable();
    }
  }

  /**
   * Where people sign in, and what they bring from there is taken.
   * @throws ServiceError `unavailable` when the issuer does not say
   */
  findEndpoints(): Promise<IssuerEndpoints> {
    if (this.endpoints === null || performance.now() >= this.endpointsUntil) {
      this.endpointsUntil = performance.now() + ENDPOINTS_TIME;
      this.endpoints = this.fetchEndpoints().catch((error: unknown) => {
        this.endpointsUntil = performance.now() + PAUSE;
        throw error;
      });
    }
    return this.endpoints;
  }

  private async fetchEndpoints(): Promise<IssuerEndpoints> {
    const { issuer } = this.options;
    try {
      const document = await fetchJson('discovery', discoveryUrl(issuer), AbortSignal.timeout(TIME_LIMIT));
      this.assertIsOf(document);
      return {
        authorization: protectedUrl(document, 'authorization_endpoint'),
        token: protectedUrl(document, 'token_endpoint'),
        endSession:
          fieldOf(document, 'end_session_endpoint') === undefined
            ? null
            : protectedUrl(document, 'end_session_endpoint'),
      };
    } catch (error) {
      this.warning.warn(`nobody can sign in at the issuer ${issuer}: ${reasonOf(error)}`);
      throw new ServiceError('unavailable', 'The issuer cannot be reached; try again.');
    }
  }

  /** Where the keys are. */
  private addressIn(document: unknown): string {
    this.assertIsOf(document);
    return protectedUrl(document, 'jwks_uri');
  }

  /** What another issuer says of itself must not be believed of this one (§4.3). */
  private assertIsOf(document: unknown): void {
    const issuer = textOf(fieldOf(document, 'issuer'));
    if (issuer !== this.options.issuer) throw new Error(`the document there names ${issuer ?? 'no issuer'}`);
  }
}

/** URLs of an issuer. */
export interface IssuerEndpoints {
  readonly authorization: string;
  readonly token: string;
  /** `null` where it has none. */
  readonly endSession: string | null;
}

function protectedUrl(document: unknown, field: string): string {
  const address = textOf(fieldOf(document, field)) ?? '';
  if (!URL.canParse(address) || !isProtected(new URL(address)))
    throw new Error(`its ${field} is not an https:// URL, nor http:// on loopback`);
  return address;
}

export function keysUnavailable(): ServiceError {
  return new ServiceError('unavailable', 'The keys of the issuer cannot be fetched; try again.');
}

function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}${DISCOVERY}`;
}

/** @throws Error for any answer but 200 with JSON */
async function fetchJson(request: string, url: string, signal: AbortSignal): Promise<unknown> {
  const { status, body } = await askProvider({ provider: 'issuer', request, url, signal });
  if (status !== 200 || body === undefined) throw new Error(`${url} answers with status ${status}`);
  return body;
}
