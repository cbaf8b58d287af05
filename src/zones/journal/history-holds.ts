import { DAY, type Instant } from '../../common/clock.js';
import type { Transaction } from '../../database/transaction.js';

/** So long history stays for those who have yet to read it: seven days. */
export const LONGEST_HOLD: Instant = 7 * DAY;

/** A port: who has yet to read the history of zones, and so keeps it from being removed for a while (behaviour 19.5). */
export abstract class HistoryHolds {
  /** Up to which number everybody has read the zone's steps; `Infinity` where nobody reads them. */
  abstract readUpTo(tx: Transaction, zoneId: string): Promise<number>;
}
