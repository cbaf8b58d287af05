import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, Optional } from '@nestjs/common';
import { ServiceError } from '../common/service-error.js';
import { HttpOptions } from '../http/http.options.js';
import { RequestLimits } from '../http/rate-limits/request-limits.js';
import type { ApiRequest } from '../http/request.js';
import { Authenticator, type Identity } from './authenticator.js';
import { accessDenied } from './caller-headers.js';
import { mayComeFrom } from './policy.js';
import { Sessions } from './sessions.js';

/** In characters: what tables have room for. */
const MAX_ADDRESS = 64;

/** Finds out who sends a request, by the credential in it or by that of its session (behaviour 3.5, 3.8). */
@Injectable()
export class Identification {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly limits: RequestLimits,
    private readonly http: HttpOptions,
    @Optional() private readonly sessions?: Sessions,
  ) {}

  /** @throws ServiceError `access_denied`, `rate_limited`, and whatever `Authenticator` throws */
  async identify(request: ApiRequest): Promise<Identity> {
    const { credentialsOf } = this.http.interfaceOf(request.path);
    const headers = credentialsOf === undefined ? request.headers : credentialsOf(request.headers);
    if (hasCredential(headers)) return this.tried(request, headers);
    const ofSession = headers.cookie === undefined ? null : await this.sessions?.headersOf(request);
    return this.accepted(request, ofSession ?? headers);
  }

  /**
   * Whose credential was sent, which may be a guess.
   * @param sent the headers that it would be sent in
   * @throws as `identify`
   */
  tried(request: ApiRequest, sent: IncomingHttpHeaders): Promise<Identity> {
    return this.countingGuesses(request, () => this.accepted(request, sent));
  }

  /**
   * Judges what may be a guess.
   * @param judge throws `access_denied` for a wrong one
   * @throws ServiceError `rate_limited`, and whatever `judge` throws
   */
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
