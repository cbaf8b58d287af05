import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { connectionOf } from '../sqlite/sqlite-connection.js';
import { Statement } from './statement.js';
import { type SqlValue } from '../transaction.js';
import type { Transaction } from '../transaction.js';
import { forEachDatabase, indexedBy, primaryKeyOf } from './walk.js';

interface Doomed {
  readonly table: string;
  readonly key: readonly string[];
  /** With a `?` for each value. */
  readonly where: string;
  /** If SQLite might prefer another index. */
  readonly index?: string;
  readonly orderBy?: string;
  readonly returning?: string;
}

/** SQLite reads all pages of a long row, 90 for 360 KiB. So the number of rows grows only while they are fast. */
const FEWEST_ROWS = 50;
const MOST_ROWS = 2000;
const FAST_MS = 5;
/** A statement on PostgreSQL does not block the event loop, and waits for the network and other processes. */
const FAST_ON_POSTGRES_MS = 100;

const declared: PortionedDelete[] = [];

/**
 * Deletes some of the matching rows. PostgreSQL selects them by row position (ctid): by key, it would search again for
 * each row when statistics are outdated.
 */
export class PortionedDelete<Row = unknown> {
  readonly sql: { readonly sqlite: string; readonly postgres: string };
  private readonly statement: Statement<Row>;

  constructor({ table, key, where, index, orderBy, returning = '1' }: Doomed) {
    const columns = key.join(', ');
    const from = `${table}${index === undefined ? '' : indexedBy(index)}`;
    const some = (what: string): string =>
      `SELECT ${what} FROM ${from} WHERE ${where}${orderBy === undefined ? '' : ` ORDER BY ${orderBy}`} LIMIT ?`;
    const byKey = `DELETE FROM ${table}${indexedBy(primaryKeyOf(table))} WHERE (${columns}) IN (${some(columns)}) RETURNING ${returning}`;
    const byPlace = `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(${some('ctid')})) RETURNING ${returning}`;
    this.sql = { sqlite: forEachDatabase(byKey)[0], postgres: forEachDatabase(byPlace)[1] };
    this.statement = new Statement<Row>(this.sql.sqlite, this.sql.postgres);
    declared.push(this);
  }

  /** For a test of query plans. */
  static get all(): readonly PortionedDelete[] {
    return declared;
  }

  /** Whether more rows may match. */
  async run(tx: Transaction, values: readonly SqlValue[], most: number): Promise<boolean> {
    return (await this.rows(tx, values, most)).length === most;
  }

  rows(tx: Transaction, values: readonly SqlValue[], most: number): Promise<Row[]> {
    return this.statement.rows(tx, [...values, most]);
  }

  /**
   * In portions within the transaction, so that reads continue.
   * @param end on the monotonic clock @returns whether more rows may match
   */
  async runUntil(end: number, tx: Transaction, values: readonly SqlValue[]): Promise<boolean> {
    const fastMs = connectionOf(tx) === undefined ? FAST_ON_POSTGRES_MS : FAST_MS;
    for (let rows = FEWEST_ROWS; ;) {
      const begun = performance.now();
      if (!(await this.run(tx, values, rows))) return false;
      const now = performance.now();
      if (now >= end) return true;
      if (now - begun < fastMs) rows = Math.min(MOST_ROWS, rows * 2);
      else rows = FEWEST_ROWS;
      await nextTurn();
    }
  }
}
