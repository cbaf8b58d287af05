import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import type { Transaction } from '../database/transaction.js';

/** Port: limits how many zones a tenant owns. */
export abstract class ZoneLimits {
  /**
   * Called inside the unit of work, with the count that the tenant would have afterwards.
   *
   * @throws ServiceError `over_quota`
   */
  abstract assertZoneAllowed(tx: Transaction, tenantId: string, zoneCount: number): Promise<void>;
}

export interface ZoneContentsUse {
  readonly id: string;
  readonly name: string;
  readonly tenantId: string;
  readonly records: number;
  readonly recordSets: number;
}

/** A tenant that has, or had, zones. */
export interface TenantUse {
  readonly tenantId: string;
  readonly zones: number;
}

/** Port: reports the usage of zones. */
export abstract class ZoneUse {
  abstract zonesOf(tenantId: string): Promise<number>;

  abstract ofZone(zoneId: string, caller: Caller): Promise<ZoneContentsUse>;

  /** By name, after the tenant `after`. @param from lowest name */
  abstract tenants(after: string, from: string, limit: number): Promise<TenantUse[]>;
}

/** Without quotas. */
@Injectable()
export class NoZoneLimits extends ZoneLimits {
  override assertZoneAllowed(): Promise<void> {
    return Promise.resolve();
  }
}
