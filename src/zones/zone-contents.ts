import type { Transaction } from '../database/transaction.js';

/** What a zone holds is another room's, which answers for it and removes it with the zone. Filled by the records module. */
export abstract class ZoneContents {
  /** Whether the zone has records that a zone of the name with that key would hold (behaviour 7.3). */
  abstract hasRecordsFor(tx: Transaction, zoneId: string, nameKey: string): Promise<boolean>;

  /** Whether a tenant that the zone is shared with has record sets in it. */
  abstract hasRecordSetsOf(tx: Transaction, zoneId: string, tenantId: string): Promise<boolean>;

  /** Makes what that tenant has put into the zone the owner's. */
  abstract makeOwn(tx: Transaction, zoneId: string, tenantId: string): Promise<void>;

  abstract deleteAll(tx: Transaction, zoneId: string): Promise<void>;

  /** Deletes so many rows at most of a zone that never was. Returns whether there may be more. */
  abstract deleteSome(tx: Transaction, zoneId: string, most: number): Promise<boolean>;
}
