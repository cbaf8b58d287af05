import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import { inKeyOrder } from '../../database/statements/walk.js';
import type { TimeCursor } from '../../zones/journal/time-cursor.js';

const LATEST_SQL = (index: string): string => `SELECT at FROM journal${index} ORDER BY at DESC LIMIT 1`;
const LATEST = new Statement<{ readonly at: Instant }>(LATEST_SQL(' INDEXED BY journal_in_time'), LATEST_SQL(''));
const LATER_SQL = (index: string): string =>
  `SELECT at, zone_id AS id, number FROM journal${index} WHERE (at, zone_id, number) > (?, ?, ?)` +
  ' ORDER BY at, zone_id, number LIMIT ?';
const LATER = new Statement<TimeCursor>(LATER_SQL(' INDEXED BY journal_in_time'), LATER_SQL(''));

/** What has come to this database by replay, as its journals tell it. */
@Injectable()
export class ReplayedChangesRepository {
  constructor(private readonly reads: Reads) {}

  /** When the latest step was made that is here; 0: there is none. */
  async latest(): Promise<Instant> {
    return (await this.reads.run((tx) => inKeyOrder(tx, () => LATEST.first(tx, []))))?.at ?? 0;
  }

  /** Up to `limit` steps behind a cursor, earliest first. */
  later({ at, id, number }: TimeCursor, limit: number): Promise<TimeCursor[]> {
    return this.reads.run((tx) => inKeyOrder(tx, () => LATER.rows(tx, [at, id, number, limit])));
  }
}
