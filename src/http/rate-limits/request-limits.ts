import { Injectable } from '@nestjs/common';
import type { Socket } from 'node:net';
import type { NextFunction, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { clientOfAddress } from '../../common/network/client-address.js';
import { isAddressWithin } from '../../common/network/network.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { surcharge } from '../../common/waiting/token-bucket.js';
import { ServiceError } from '../../common/service-error.js';
import { RATE_LIMIT_REFUSALS } from '../../observability/rate-limit-refusals.js';
import { HttpOptions } from '../http.options.js';
import type { ApiRequest } from '../request.js';
import type { DoneRequest } from '../server/watched-requests.js';
import { Allowances, type Allowance } from './allowances.js';

/** Whose credential was sent. */
interface Holder {
  /** `null` where it names none. */
  readonly tenantId: string | null;
  readonly tokenId?: string;
  readonly user?: string;
  readonly isOwnToken?: boolean;
}

/** Whoever watches the service is never refused. */
const UNLIMITED = /^\/(healthz|readyz|healthcheck|metrics)\/?(\?|$)/i;
/** So many addresses are remembered with the client that each stands for. */
const MOST_ADDRESSES = 10_000;
/** In characters: a proxy may pass on whatever it was sent. */
const MAX_ADDRESS = 64;

/** Refuses requests of whoever sends too many (behaviour 14.4). */
@Injectable()
export class RequestLimits {
  private readonly addresses: Allowances | null;
  private readonly tokens: Allowances | null;
  private readonly failures: Allowances | null;
  /** The value of `RateLimit-Policy`. */
  private readonly policy: string;
  private readonly exempt: readonly string[];
  /** By address; `''` for one that is exempt. */
  private readonly clients = new LRUCache<string, string>({ max: MOST_ADDRESSES });
  /** Octets of each connection that were counted with its answers. */
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

  /** Whether requests are counted, and not credentials alone. */
  get countsRequests(): boolean {
    return this.policy !== '';
  }

  /** Counts a request of its address. */
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

  /**
   * Counts a request with a valid credential, and says in the headers of its answer what is left.
   * @throws ServiceError `rate_limited`
   */
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

  /** Counts the octets of an answer to GET that has ended, in requests. */
  readonly countAnswer = ({ method, request }: Pick<DoneRequest, 'method' | 'request'>): void => {
    const { socket, countedClient, countedToken } = request;
    const octets = socket.bytesWritten - (this.countedOctets.get(socket) ?? 0);
    this.countedOctets.set(socket, socket.bytesWritten);
    const requests = surcharge(octets);
    if (method !== 'GET' || requests === 0) return;
    if (countedClient !== undefined) this.addresses?.take(countedClient, requests);
    if (countedToken !== undefined) this.tokens?.take(countedToken, requests);
  };

  /** Says in the headers of a refusal what holds and what is left. */
  tell({ rateLimit }: ApiRequest, response: Response): void {
    if (rateLimit === undefined) return;
    this.tellPolicy(response);
    if (rateLimit !== '') response.setHeader('RateLimit', rateLimit);
  }

  private tellPolicy(response: Response): void {
    response.setHeader('RateLimit-Policy', this.policy);
  }

  /**
   * A credential is not even looked at while others of its address were wrong too often: it could be a guess.
   * @throws ServiceError `rate_limited`
   */
  assertMayTry(request: ApiRequest): void {
    const client = this.failures === null ? null : this.clientOf(request);
    if (client === null || this.failures === null) return;
    const allowance = this.failures.of(client);
    if (allowance.left > 0) return;
    this.warnings.credentials.warn(`${client} sends more wrong credentials than failed_credentials_per_address allows`);
    throw refusal('credentials', allowance, 'This address has sent too many credentials that are not valid');
  }

  /** Counts a credential that was not valid. */
  countFailure(request: ApiRequest): void {
    const client = this.clientOf(request);
    if (client !== null) this.failures?.take(client);
  }

  /** Whom a request comes from; `null` for one that no limit holds for. */
  private clientOf(request: ApiRequest): string | null {
    // To ask Express takes longer, and says the same where no proxy is trusted.
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

/** Who has an account elsewhere gets another token whenever it asks for one, and is counted by the account. */
function countedBy({ tenantId, tokenId, user, isOwnToken }: Holder): string {
  const isByToken = tokenId !== undefined && (isOwnToken === true || user === undefined);
  return isByToken ? tokenId : `${user ?? ''} ${tenantId ?? ''}`;
}

function allowancesOf(perMinute: number | null): Allowances | null {
  return perMinute === null ? null : new Allowances(perMinute);
}

/** An item of `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11 §3.1). */
function policyOf(name: string, perMinute: number | null): string | null {
  return perMinute === null ? null : `"${name}";q=${perMinute};w=60`;
}

/** Not in every answer, since a header makes a get dearer than all the counting does (ADR 23). */
function isWorthTelling({ isFirst, isScarce }: Allowance): boolean {
  return isFirst || isScarce;
}

/** An item of `RateLimit` (§4.1 there). */
function itemOf(name: string, { left, resetsIn }: Allowance): string {
  return `"${name}";r=${Math.max(0, left)};t=${resetsIn}`;
}

function refusal(limit: string, { resetsIn }: Allowance, what: string): ServiceError {
  RATE_LIMIT_REFUSALS.of(limit).add();
  return new ServiceError('rate_limited', `${what}; try again in ${resetsIn} s.`, [], resetsIn);
}
