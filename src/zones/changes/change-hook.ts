import type { Transaction } from '../../database/transaction.js';
import type { Outcome } from '../../database/unit-of-work.js';
import type { ZoneEntity } from '../zone.entity.js';

/** What is read, judged and written together with a change: a condition on the zone, an answer that is kept. */
export interface ChangeHook<Result> {
  /**
   * It is the service's own, and asks nobody but the database.
   * @internal
   */
  readonly isOurs?: true;
  /**
   * Reads what `admit` needs to know, in one turn with what the change needs.
   * @param zone as it was when it was taken
   */
  load?(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<void>;
  /**
   * @param zone as the changes before this one have left it
   * @throws ServiceError, which is then what became of the change
   */
  admit?(zone: Readonly<ZoneEntity>): void;
  /** Writes into the change's own transaction, also where the change was refused or has only been tried. */
  write?(tx: Transaction, outcome: Outcome<Result>): Promise<void>;
}
