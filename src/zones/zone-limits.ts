import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import type { Transaction } from '../database/transaction.js';

/** The port through which something may limit how many zones a tenant owns. */
export abstract class ZoneLimits {
  /**
   * Called inside the unit of work, with the count that the tenant would have afterwards.
   * @throws ServiceError `over_quota`
   */
  abstract assertZoneAllowed(tx: Transaction, tenantId: string, zoneCount: number): Promise<void>;
}

/** What a zone has of what can be limited. */
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

/** The port through which whoever limits zones learns how much there is. */
export abstract class ZoneUse {
  /** How many zones a tenant owns. */
  abstract zonesOf(tenantId: string): Promise<number>;

  /** @throws ServiceError `zone_not_found`, also for a zone that the caller may not see */
  abstract ofZone(zoneId: string, caller: Caller): Promise<ZoneContentsUse>;

  /**
   * Tenants in the order of their names.
   * @param after the last one that was seen; `''` for none
   */
  abstract tenants(after: string, limit: number): Promise<TenantUse[]>;
}

/** Without quotas there is no limit. */
@Injectable()
export class NoZoneLimits extends ZoneLimits {
  override assertZoneAllowed(): Promise<void> {
    return Promise.resolve();
  }
}
