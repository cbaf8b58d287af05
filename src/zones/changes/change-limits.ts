import { Injectable } from '@nestjs/common';

/** Origin of a change: the tenant, or a primary of one of its secondary zones. */
export type ChangeOrigin = 'tenant' | 'master';

/** Port: limits the changes of a tenant per time. */
export abstract class ChangeLimits {
  /**
   * Runs a change of the tenant, outside any transaction.
   * @param change calls `weigh` with `ZoneChange.weight` for each attempt
   * @param origin `tenant` by default
   * @throws ServiceError `rate_limited`, and the errors of `change`
   */
  abstract run<T>(
    tenantId: string,
    change: (weigh: (weight: number) => void) => Promise<T>,
    origin?: ChangeOrigin,
  ): Promise<T>;
}

/** Without quotas. */
@Injectable()
export class NoChangeLimits extends ChangeLimits {
  override run<T>(_: string, change: (weigh: (weight: number) => void) => Promise<T>): Promise<T> {
    return change(() => undefined);
  }
}
