import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, Optional } from '@nestjs/common';
import { ServiceError } from '../common/service-error.js';
import { HttpOptions } from '../http/http.options.js';
import { RequestLimits } from '../http/request-limits.js';
import type { ApiRequest } from '../http/request.js';
import { Authenticator, type Identity } from './authenticator.js';
import { mayComeFrom, mayActForOthers, mayCall } from './policy.js';
import type { Caller } from '../common/caller.js';

/** Characters, the column width. */
const MAX_ADDRESS = 64;

/** Port for console sessions, which keep a credential for the browser. Unbound without the console. */
export abstract class Sessions {
  /**
   * Returns the headers of the credential in the session, or `null` without a valid session.
   * @throws ServiceError `access_denied` if the request may be forged
   */
  abstract headersOf(request: ApiRequest): Promise<IncomingHttpHeaders | null>;
}

/** Identifies the sender of a request by its credential or its session (behaviour 3.5, 3.8). */
@Injectable()
export class Identification {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly limits: RequestLimits,
    private readonly http: HttpOptions,
    @Optional() private readonly sessions?: Sessions,
  ) {}

  /** @throws ServiceError `access_denied`, `rate_limited`, and errors of `Authenticator` */
  async identify(request: ApiRequest): Promise<Identity> {
    const { credentialsOf } = this.http.interfaceOf(request.path);
    const headers = credentialsOf === undefined ? request.headers : credentialsOf(request.headers);
    if (hasCredential(headers)) return this.tried(request, headers);
    const ofSession = headers.cookie === undefined ? null : await this.sessions?.headersOf(request);
    return this.accepted(request, ofSession ?? headers);
  }

  /** Identifies the owner of a credential that may be a guess. @param sent its headers */
  tried(request: ApiRequest, sent: IncomingHttpHeaders): Promise<Identity> {
    return this.countingGuesses(request, () => this.accepted(request, sent));
  }

  /** Counts `access_denied` of `judge` as a guess. @throws ServiceError `rate_limited`, and errors of `judge` */
  async countingGuesses<T>(request: ApiRequest, judge: () => Promise<T>): Promise<T> {
    this.limits.assertMayTry(request);
    try {
      return await judge();
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'access_denied') this.limits.countFailure(request);
      throw error;
    }
  }

  private async accepted(request: ApiRequest, sent: IncomingHttpHeaders): Promise<Identity> {
    const identity = await this.authenticator.identify(sent);
    if (identity === null)
      throw accessDenied('Send a valid token in X-Auth-Token or Authorization: Bearer; it is missing or not valid.');
    const address = addressOf(request);
    if (!mayComeFrom(identity, address)) throw accessDenied('The token may not be used from this address.');
    this.authenticator.recordUse?.(identity, address);
    return identity;
  }
}

export function addressOf({ ip = '' }: ApiRequest): string {
  return ip.slice(0, MAX_ADDRESS);
}

function hasCredential(headers: IncomingHttpHeaders): boolean {
  return headers['x-auth-token'] !== undefined || headers.authorization !== undefined;
}

/** Rejected when repeated: a proxy may have checked another value than Node.js returns. */
const SINGLE_HEADERS = [
  'authorization',
  'x-auth-token',
  'x-api-key',
  'x-auth-project-id',
  'x-auth-sudo-tenant-id',
  'x-auth-sudo-project-id',
  'x-auth-all-projects',
  'x-roles',
];

export function assertNoRepeatedHeader({ headersDistinct }: ApiRequest): void {
  const repeated = SINGLE_HEADERS.find((name) => (headersDistinct[name]?.length ?? 0) > 1);
  if (repeated !== undefined) throw accessDenied(`Send the header ${repeated} once.`);
}

function accessDenied(message: string): ServiceError {
  return new ServiceError('access_denied', message);
}

export function forbidden(message: string): ServiceError {
  return new ServiceError('forbidden', message);
}

/** Checks whether the sender of a long-lasting request still has access. */
@Injectable()
export class AccessRecheck {
  constructor(private readonly authenticator: Authenticator) {}

  /** @throws ServiceError `unavailable` if it cannot tell now */
  async isGood({ headers, ip = '' }: ApiRequest, { tenantId }: Caller): Promise<boolean> {
    const identity = await this.authenticator.identify(headers);
    if (identity === null || !mayCall(identity) || !mayComeFrom(identity, ip)) return false;
    return identity.tenantId === tenantId || mayActForOthers(identity);
  }
}
