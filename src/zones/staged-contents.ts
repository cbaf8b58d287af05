import type { WritePart } from '../database/statements/staging.js';
import type { Transaction } from '../database/transaction.js';
import type { ZoneChange } from './changes/zone-change.js';

/** What is put into a new zone, where it was prepared on a connection of its own. */
export interface StagedContents {
  /** To be used for the change that makes the zone. */
  readonly transaction: Transaction;

  /**
   * Puts it where it belongs before the zone is there.
   * @param change the one that makes the zone
   * @param write runs on `transaction`
   */
  bringInAhead(change: ZoneChange, write: WritePart): Promise<void>;
}

/** What a change was prepared with is no longer so. */
export class StaleSnapshotError extends Error {}
