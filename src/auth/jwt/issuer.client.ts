import { Injectable } from '@nestjs/common';
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { fieldOf, textOf } from '../../common/json.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { ServiceError } from '../../common/service-error.js';
import { isProtected } from '../../config/address-readers.js';
import { askProvider, reasonOf } from '../identity-provider.js';
import { JwtOptions } from './jwt.options.js';

/** Milliseconds for discovery and keys together. */
const TIME_LIMIT = 5000;
/** Milliseconds before the endpoints are fetched again: after a success, and after a failure. */
const ENDPOINTS_TIME = 600_000;
const PAUSE = 1000;
/** OpenID Connect Discovery 1.0 §4. */
const DISCOVERY = '/.well-known/openid-configuration';

@Injectable()
export class IssuerClient {
  private readonly warning = new ThrottledLogger();
  /** Cached, because unauthenticated sign-in requests need them. */
  private endpoints: Promise<IssuerEndpoints> | null = null;
  /** Milliseconds of `performance.now()`. */
  private endpointsUntil = 0;

  constructor(private readonly options: JwtOptions) {}

  /** @throws ServiceError `unavailable` if the issuer does not answer */
  async fetchKeys(): Promise<JWTVerifyGetKey> {
    const signal = AbortSignal.timeout(TIME_LIMIT);
    try {
      const document = await fetchJson('discovery', discoveryUrl(this.options.issuer), signal);
      const keys = await fetchJson('keys', this.addressIn(document), signal);
      const { createLocalJWKSet } = await import('jose');
      const found = createLocalJWKSet(keys as JSONWebKeySet);
      this.warning.over(`the issuer ${this.options.issuer} publishes its keys again`);
      return found;
    } catch (error) {
      this.warning.warn(`the keys of the issuer ${this.options.issuer} cannot be fetched: ${reasonOf(error)}`);
      throw keysUnavailable();
    }
  }

  /** Returns the endpoints for sign-in. @throws ServiceError `unavailable` if the issuer does not answer */
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

  private addressIn(document: unknown): string {
    this.assertIsOf(document);
    return protectedUrl(document, 'jwks_uri');
  }

  /** Prevents an issuer from supplying the document of another issuer (§4.3). */
  private assertIsOf(document: unknown): void {
    const issuer = textOf(fieldOf(document, 'issuer'));
    if (issuer !== this.options.issuer) throw new Error(`the document there names ${issuer ?? 'no issuer'}`);
  }
}

export interface IssuerEndpoints {
  readonly authorization: string;
  readonly token: string;
  /** `null` if the issuer has none. */
  readonly endSession: string | null;
}

function protectedUrl(document: unknown, field: string): string {
  const address = textOf(fieldOf(document, field)) ?? '';
  if (!URL.canParse(address) || !isProtected(new URL(address)))
    throw new Error(`its ${field} is not an https:// URL, nor http:// on loopback`);
  return address;
}

function keysUnavailable(): ServiceError {
  return new ServiceError('unavailable', 'The keys of the issuer cannot be fetched; try again.');
}

function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}${DISCOVERY}`;
}

/** @throws Error for any answer except 200 with JSON */
async function fetchJson(request: string, url: string, signal: AbortSignal): Promise<unknown> {
  const { status, body } = await askProvider({ provider: 'issuer', request, url, signal });
  if (status !== 200 || body === undefined) throw new Error(`${url} answers with status ${status}`);
  return body;
}

/** Milliseconds before the issuer is asked again after a failure. */
const KEYS_PAUSE = 1000;

interface KnownKeys {
  readonly find: JWTVerifyGetKey;
  /** Milliseconds of `performance.now()`. */
  readonly fetchedAt: number;
}

/** Fetches keys on demand. An unknown key causes at most one fetch in `keys_cooldown` (behaviour 14.3). */
@Injectable()
export class IssuerKeys {
  private known: KnownKeys | null = null;
  private underWay: Promise<KnownKeys> | null = null;
  /** No requests to the issuer until then, in milliseconds of `performance.now()`. */
  private pause = { until: -Infinity, afterFailure: false };

  constructor(
    private readonly issuer: IssuerClient,
    private readonly options: JwtOptions,
  ) {}

  /** @throws JOSEError for an unknown key, ServiceError `unavailable` if the issuer does not answer */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const known = await this.usable();
    try {
      return await known.find(header, token);
    } catch (error) {
      const { errors } = await import('jose');
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const newer = await this.newerThan(known);
      if (newer === null) throw error;
      return newer.find(header, token);
    }
  };

  /** Renews keys in the background at half of their lifetime, to bridge a short outage of the issuer. */
  private async usable(): Promise<KnownKeys> {
    const { known } = this;
    const age = known === null ? Infinity : performance.now() - known.fetchedAt;
    const longest = this.options.keysCacheTime * 1000;
    if (known === null || age >= longest) return this.renewed();
    // A request that needs newer keys reports the failure.
    if (age >= longest / 2 && !this.isPausing()) this.renew().catch(() => undefined);
    return known;
  }

  private async renewed(): Promise<KnownKeys> {
    if (this.underWay === null && this.isPausing() && this.pause.afterFailure) throw keysUnavailable();
    return this.renew();
  }

  /** Returns `null` if the keys have just been fetched. @throws ServiceError `unavailable` */
  private async newerThan(known: KnownKeys): Promise<KnownKeys | null> {
    // Another token has already caused a fetch.
    if (this.known !== known) return this.known;
    if (this.underWay === null && this.isPausing() && !this.pause.afterFailure) return null;
    return this.renewed();
  }

  private isPausing(): boolean {
    return performance.now() < this.pause.until;
  }

  private renew(): Promise<KnownKeys> {
    this.underWay ??= this.fetch().finally(() => {
      this.underWay = null;
    });
    return this.underWay;
  }

  private async fetch(): Promise<KnownKeys> {
    try {
      const find = await this.issuer.fetchKeys();
      const fetchedAt = performance.now();
      this.known = { find, fetchedAt };
      this.pause = { until: fetchedAt + this.options.keysCooldown * 1000, afterFailure: false };
      return this.known;
    } catch (error) {
      this.pause = { until: performance.now() + KEYS_PAUSE, afterFailure: true };
      throw error;
    }
  }
}
