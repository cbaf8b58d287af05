import type { Transaction } from '../database/transaction.js';

/** What a zone holds is another room's, which answers for it and removes it with the zone. Filled by the records module. */
export abstract class ZoneContents {
  /** Whether the zone has records that a zone of the name with that key would hold (behaviour 7.3). */
  abstract hasRecordsFor(tx: Transaction, zoneId: string, nameKey: string): Promise<boolean>;

  abstract deleteAll(tx: Transaction, zoneId: string): Promise<void>;
}
