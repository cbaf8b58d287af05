import { Injectable } from '@nestjs/common';
import type { Socket } from 'node:net';
import type { NextFunction, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { clientOfAddress, isAddressWithin } from '../common/network/network.js';
import { ThrottledLogger } from '../common/throttled-logger.js';
import { surcharge } from '../common/waiting/token-bucket.js';
import { ServiceError } from '../common/service-error.js';
import { HttpOptions } from './http.options.js';
import type { ApiRequest } from './request.js';
import type { DoneRequest } from './server/request-log.js';
import { RATE_LIMIT_REFUSALS } from '../observability/metrics.js';

interface Holder {
  /** `null` if the credential names no tenant. */
  readonly tenantId: string | null;
  readonly tokenId?: string;
  readonly user?: string;
  readonly isOwnToken?: boolean;
}

/** Monitoring paths are never limited. */
const UNLIMITED = /^\/(healthz|readyz|healthcheck|metrics)\/?(\?|$)/i;
const MOST_ADDRESSES = 10_000;
/** Characters; a proxy may pass on any text. */
const MAX_ADDRESS = 64;

/** Limits the request rates of addresses and tokens (behaviour 14.4). */
@Injectable()
export class RequestLimits {
  private readonly addresses: Allowances | null;
  private readonly tokens: Allowances | null;
  private readonly failures: Allowances | null;
  private readonly policy: string;
  private readonly exempt: readonly string[];
  /** By address; `''` if exempt. */
  private readonly clients = new LRUCache<string, string>({ max: MOST_ADDRESSES });
  /** Octets of each connection that earlier answers have counted. */
  private readonly countedOctets = new WeakMap<Socket, number>();
  private readonly warnings = {
    address: new ThrottledLogger(),
    token: new ThrottledLogger(),
    credentials: new ThrottledLogger(),
  };

  constructor(private readonly options: HttpOptions) {
    const { perAddress, perToken, failedCredentials, exempt } = options.rateLimits;
    this.addresses = allowancesOf(perAddress);
    this.tokens = allowancesOf(perToken);
    this.failures = allowancesOf(failedCredentials);
    this.exempt = exempt;
    const policies = [policyOf('address', perAddress), policyOf('token', perToken)];
    this.policy = policies.filter((policy) => policy !== null).join(', ');
  }

  /** Whether any limit applies to requests, not only to invalid credentials. */
  get countsRequests(): boolean {
    return this.policy !== '';
  }

  readonly countAddress = (request: ApiRequest, response: Response, next: NextFunction): void => {
    const client = UNLIMITED.test(request.url) ? null : this.clientOf(request);
    if (client === null) return next();
    request.rateLimit = '';
    if (this.addresses === null) return next();
    request.countedClient = client;
    const allowance = this.addresses.take(client);
    if (isWorthTelling(allowance)) request.rateLimit = itemOf('address', allowance);
    if (allowance.isFirst) this.tellPolicy(response);
    if (allowance.left >= 0) return next();
    this.warnings.address.warn(`${client} sends more requests than requests_per_address allows`);
    next(refusal('address', allowance, 'This address has sent too many requests in a minute'));
  };

  /** Counts a request with a valid credential and sets `RateLimit`. @throws ServiceError `rate_limited` */
  countToken(request: ApiRequest, response: Response, holder: Holder): void {
    let { rateLimit } = request;
    if (rateLimit === undefined) return;
    if (this.tokens !== null) request.countedToken = countedBy(holder);
    const allowance = this.tokens?.take(countedBy(holder));
    if (allowance !== undefined && isWorthTelling(allowance)) {
      const ofToken = itemOf('token', allowance);
      rateLimit = rateLimit === '' ? ofToken : `${rateLimit}, ${ofToken}`;
      if (allowance.isFirst) this.tellPolicy(response);
    }
    request.rateLimit = rateLimit;
    if (rateLimit !== '') response.setHeader('RateLimit', rateLimit);
    if (allowance === undefined || allowance.left >= 0) return;
    this.warnings.token.warn(
      `a token of ${JSON.stringify(holder.tenantId)} is used more often than requests_per_token allows`,
    );
    throw refusal('token', allowance, 'This token was used for too many requests in a minute');
  }

  readonly countAnswer = ({ method, request }: Pick<DoneRequest, 'method' | 'request'>): void => {
    const { socket, countedClient, countedToken } = request;
    const octets = socket.bytesWritten - (this.countedOctets.get(socket) ?? 0);
    this.countedOctets.set(socket, socket.bytesWritten);
    const requests = surcharge(octets);
    if (method !== 'GET' || requests === 0) return;
    if (countedClient !== undefined) this.addresses?.take(countedClient, requests);
    if (countedToken !== undefined) this.tokens?.take(countedToken, requests);
  };

  tell({ rateLimit }: ApiRequest, response: Response): void {
    if (rateLimit === undefined) return;
    this.tellPolicy(response);
    if (rateLimit !== '') response.setHeader('RateLimit', rateLimit);
  }

  private tellPolicy(response: Response): void {
    response.setHeader('RateLimit-Policy', this.policy);
  }

  /** After too many invalid credentials, each may be a guess. @throws ServiceError `rate_limited` */
  assertMayTry(request: ApiRequest): void {
    const client = this.failures === null ? null : this.clientOf(request);
    if (client === null || this.failures === null) return;
    const allowance = this.failures.of(client);
    if (allowance.left > 0) return;
    this.warnings.credentials.warn(`${client} sends more wrong credentials than failed_credentials_per_address allows`);
    throw refusal('credentials', allowance, 'This address has sent too many credentials that are not valid');
  }

  countFailure(request: ApiRequest): void {
    const client = this.clientOf(request);
    if (client !== null) this.failures?.take(client);
  }

  /** `null` if exempt. */
  private clientOf(request: ApiRequest): string | null {
    // Express is slower, and needed only for trusted proxies.
    const address =
      (this.options.trustsProxies ? request.ip?.slice(0, MAX_ADDRESS) : request.socket.remoteAddress) ?? '';
    let client = this.clients.get(address);
    if (client === undefined) {
      client = isAddressWithin(address, this.exempt) ? '' : clientOfAddress(address);
      this.clients.set(address, client);
    }
    return client === '' ? null : client;
  }
}

/** Users of external accounts can get new tokens at any time, so count their account. */
function countedBy({ tenantId, tokenId, user, isOwnToken }: Holder): string {
  const isByToken = tokenId !== undefined && (isOwnToken === true || user === undefined);
  return isByToken ? tokenId : `${user ?? ''} ${tenantId ?? ''}`;
}

function allowancesOf(perMinute: number | null): Allowances | null {
  return perMinute === null ? null : new Allowances(perMinute);
}

/** Item of `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11 §3.1). */
function policyOf(name: string, perMinute: number | null): string | null {
  return perMinute === null ? null : `"${name}";q=${perMinute};w=60`;
}

/** Not in every answer, because a header costs more than the counting (ADR 23). */
function isWorthTelling({ isFirst, isScarce }: Allowance): boolean {
  return isFirst || isScarce;
}

/** Item of `RateLimit` (§4.1 of the draft). */
function itemOf(name: string, { left, resetsIn }: Allowance): string {
  return `"${name}";r=${Math.max(0, left)};t=${resetsIn}`;
}

function refusal(limit: string, { resetsIn }: Allowance, what: string): ServiceError {
  RATE_LIMIT_REFUSALS.of(limit).add();
  return new ServiceError('rate_limited', `${what}; try again in ${resetsIn} s.`, [], resetsIn);
}

const WINDOW = 60_000;
/** About 10 MiB. Evicts the least recently used, which begins a new minute. */
const MOST_CLIENTS = 50_000;

interface Allowance {
  readonly isFirst: boolean;
  /** Whether at least half is used. */
  readonly isScarce: boolean;
  /** Negative above the limit. */
  readonly left: number;
  /** Seconds until the minute ends, at least 1. */
  readonly resetsIn: number;
}

interface Count {
  taken: number;
  /** End of the minute, by `performance.now()`. */
  until: number;
}

/** The minute of a client begins with its first request. */
class Allowances {
  // No `ttl`: LRUCache would start a timer each millisecond.
  private readonly counts = new LRUCache<string, Count>({ max: MOST_CLIENTS });

  constructor(private readonly perMinute: number) {}

  /** @param requests cost of the request */
  take(client: string, requests = 1): Allowance {
    const now = performance.now();
    let count = this.counts.get(client);
    if (count === undefined) {
      count = { taken: 0, until: endOf(now) };
      this.counts.set(client, count);
    } else if (count.until <= now) {
      count.taken = 0;
      count.until = endOf(now);
    }
    count.taken += requests;
    return this.allowanceOf(count, now);
  }

  /** Returns the allowance without counting. */
  of(client: string): Allowance {
    const now = performance.now();
    const count = this.counts.get(client);
    return this.allowanceOf(count === undefined || count.until <= now ? { taken: 0, until: now } : count, now);
  }

  private allowanceOf({ taken, until }: Count, now: number): Allowance {
    return {
      isFirst: taken === 1,
      isScarce: 2 * taken >= this.perMinute,
      left: this.perMinute - taken,
      resetsIn: Math.max(1, Math.ceil((until - now) / 1000)),
    };
  }
}

/** Whole milliseconds, so that the minute is not a fraction longer. */
function endOf(now: number): number {
  return Math.floor(now) + WINDOW;
}
