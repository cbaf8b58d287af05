import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import type { ApiRequest } from '../http/request.js';
import { Authenticator } from './authenticator.js';
import { mayActForOthers, mayCall, mayComeFrom } from './policy.js';

/** Whether who has sent a request may still do what it asked for, while its answer goes on for long. */
@Injectable()
export class AccessRecheck {
  constructor(private readonly authenticator: Authenticator) {}

  /** @throws ServiceError `unavailable` when it cannot be found out now */
  async isGood({ headers, ip = '' }: ApiRequest, { tenantId }: Caller): Promise<boolean> {
    const identity = await this.authenticator.identify(headers);
    if (identity === null || !mayCall(identity) || !mayComeFrom(identity, ip)) return false;
    return identity.tenantId === tenantId || mayActForOthers(identity);
  }
}
