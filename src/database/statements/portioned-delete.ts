import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import type { SqlValue } from './sql-value.js';
import { Statement } from './statement.js';
import type { Transaction } from '../transaction.js';
import { forEachDatabase, indexedBy, primaryKeyOf } from './walk.js';

/** Which rows are deleted. */
interface Doomed {
  readonly table: string;
  /** Its primary key. */
  readonly key: readonly string[];
  /** With `?` for the values of each call. */
  readonly where: string;
  /** The index that leads to them, where there is another one that SQLite might prefer. */
  readonly index?: string;
  readonly orderBy?: string;
  /** What is returned of the deleted rows. */
  readonly returning?: string;
}

/**
 * Rows that one statement deletes before other requests are served: SQLite follows all pages of a long row, 90 of one of 360 KiB.
 * So the first statement takes few, and the next ones more as long as they are fast.
 */
const FEWEST_ROWS = 50;
const MOST_ROWS = 2000;
const FAST_MS = 5;

const declared: PortionedDelete[] = [];

/**
 * Deletes some of the rows that meet a condition. PostgreSQL finds them once and takes them by their place. By their keys it
 * would look for them anew for each row of the table, as soon as its statistics say that there are few: they do for as long as
 * nobody has told it of rows that have just been written.
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

  /** All that the service has, for a test that holds each of them to its plan. */
  static get all(): readonly PortionedDelete[] {
    return declared;
  }

  /** Returns whether there may be more than the `most` that went. */
  async run(tx: Transaction, values: readonly SqlValue[], most: number): Promise<boolean> {
    return (await this.rows(tx, values, most)).length === most;
  }

  /** Returns the deleted rows, as `returning` says. */
  rows(tx: Transaction, values: readonly SqlValue[], most: number): Promise<Row[]> {
    return this.statement.rows(tx, [...values, most]);
  }

  /** Deletes all of them within the transaction, piece by piece, so that reads go on meanwhile. */
  async runToEnd(tx: Transaction, values: readonly SqlValue[]): Promise<void> {
    for (let rows = FEWEST_ROWS; ;) {
      const begun = performance.now();
      if (!(await this.run(tx, values, rows))) return;
      if (performance.now() - begun < FAST_MS) rows = Math.min(MOST_ROWS, rows * 2);
      else rows = FEWEST_ROWS;
      await nextTurn();
    }
  }
}
