import type { Transaction } from '../database/transaction.js';
import type { Caller } from '../common/caller.js';
import type { ZoneEntity } from './zone.entity.js';

/** Port: the contents of zones. Filled by `records/`, which removes them with the zone. */
export abstract class ZoneContents {
  /** Whether the zone has records that a new zone with that name key would contain (behaviour 7.3). */
  abstract hasRecordsFor(tx: Transaction, zoneId: string, nameKey: string): Promise<boolean>;

  abstract hasRecordSetsOf(tx: Transaction, zoneId: string, tenantId: string): Promise<boolean>;

  abstract makeOwn(tx: Transaction, zoneId: string, tenantId: string): Promise<void>;

  /** Returns whether there may be more after `mostMs`. */
  abstract delete(tx: Transaction, contentsId: string, mostMs: number): Promise<boolean>;
}

/** Port: moves other resources of a zone to its new owner. */
export abstract class OwnedResources {
  abstract makeOwn(tx: Transaction, zoneId: string, tenantId: string): Promise<void>;
}

/** Port: protects zones whose deletion would do harm. */
export abstract class ZoneDeletionGuard {
  /** @throws ServiceError unless deletion is harmless, or the caller has confirmed it */
  abstract assertDeletable(tx: Transaction, zone: Readonly<ZoneEntity>, caller: Caller): Promise<void>;
}
