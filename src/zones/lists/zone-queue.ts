import { AMONG, AMONG_ON_POSTGRES } from '../../database/statements/lookup.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';

/** Zones whose changes an index lacks. Triggers add them. */
export class ZoneQueue {
  private readonly first: Statement<{ readonly id: string }>;
  private readonly firstLocked: Statement<{ readonly id: string }>;
  private readonly dequeueAll: Statement;
  private readonly dequeueDeletedOnes: Statement;

  constructor(table: 'zone_search_queue' | 'zone_order_queue') {
    const first = `SELECT zone_id AS id FROM ${table} WHERE zone_id > '' ORDER BY zone_id LIMIT ?`;
    this.first = new Statement(first);
    this.firstLocked = new Statement(first, `${first} FOR UPDATE SKIP LOCKED`);
    const [all, deleted] = ['', ' AND NOT EXISTS (SELECT 1 FROM zones WHERE id = zone_id)'].map((condition) => {
      const sql = `DELETE FROM ${table} WHERE zone_id`;
      return new Statement(`${sql} ${AMONG}${condition}`, `${sql} ${AMONG_ON_POSTGRES}${condition}`);
    }) as [Statement, Statement];
    this.dequeueAll = all;
    this.dequeueDeletedOnes = deleted;
  }

  async next(tx: Transaction, most: number): Promise<string[]> {
    return (await this.first.rows(tx, [most])).map(({ id }) => id);
  }

  /** Leaves out zones that a running transaction has put there again: its values are not visible yet. */
  async nextLocked(tx: Transaction, most: number): Promise<string[]> {
    return (await this.firstLocked.rows(tx, [most])).map(({ id }) => id);
  }

  dequeue(tx: Transaction, ids: readonly string[]): Promise<void> {
    return this.dequeueAll.run(tx, [JSON.stringify(ids)]);
  }

  dequeueDeleted(tx: Transaction, ids: readonly string[]): Promise<void> {
    return this.dequeueDeletedOnes.run(tx, [JSON.stringify(ids)]);
  }
}

/** A zone that is being changed keeps its place in the queue: its new values are not visible yet. */
export function settledZones<Row>(columns: string): Statement<Row> {
  const sql = `SELECT ${columns} FROM zones WHERE id`;
  return new Statement(`${sql} ${AMONG} ORDER BY id`, `${sql} ${AMONG_ON_POSTGRES} ORDER BY id FOR SHARE SKIP LOCKED`);
}
