import { Injectable } from '@nestjs/common';

/** Who has a change made: the tenant, or a master of one of its secondary zones. */
export type ChangeOrigin = 'tenant' | 'master';

/** The port through which something may limit how much a tenant changes in a time. */
export abstract class ChangeLimits {
  /**
   * Runs a change of the tenant, outside of any transaction.
   * @param change is given a function to call with the change's weight, as often as its work is run: `ZoneChange.weight`
   * @param origin `tenant` if it is absent
   * @throws ServiceError `rate_limited`, and what `change` throws
   */
  abstract run<T>(
    tenantId: string,
    change: (weigh: (weight: number) => void) => Promise<T>,
    origin?: ChangeOrigin,
  ): Promise<T>;
}

/** Without quotas there is no limit. */
@Injectable()
export class NoChangeLimits extends ChangeLimits {
  override run<T>(_: string, change: (weigh: (weight: number) => void) => Promise<T>): Promise<T> {
    return change(() => undefined);
  }
}
