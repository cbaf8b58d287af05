import type { Page } from '../../common/page.js';
import type { SqlValue } from './sql-value.js';
import { Statement } from './statement.js';
import type { Transaction } from '../transaction.js';

/** A page ends where its text has so many characters (SQLite) or octets (PostgreSQL); one record may have 131,070. */
const PAGE_LENGTH = 2 ** 18;

/** How the rows of a statement are put into pages. */
interface Paging<Row> {
  /** The columns that the rows are ordered by, which tell each row from the others. */
  readonly key: string;
  /** What the statement calls these columns. */
  readonly names?: string;
  /** The columns whose text may be long, as the statement calls them. */
  readonly texts: readonly (keyof Row & string)[];
  /** What PostgreSQL is sent instead, as for `Statement`. */
  readonly forPostgres?: string;
}

/**
 * One page of rows in the order of a key, bounded in rows and in the length of their text, since memory depends on both.
 * A page has at least one row where there is one.
 */
export class PageStatement<Row extends object> {
  private readonly statement: Statement<Row>;
  private readonly texts: Paging<Row>['texts'];

  /** @param select ends with the conditions */
  constructor(select: string, { key, names = key, texts, forPostgres = select }: Paging<Row>) {
    this.texts = texts;
    const length = texts.map((text) => `COALESCE(OCTET_LENGTH("${text}"), 0)`).join(' + ');
    const page = (sql: string): string => `${sql} ORDER BY ${key} LIMIT ?`;
    this.statement = new Statement<Row>(
      page(select),
      `SELECT * FROM (SELECT p.*, COUNT(*) OVER () AS fetched, SUM(${length}) OVER (ORDER BY ${names}) - (${length}) AS before` +
        ` FROM (${page(forPostgres)}) p) q WHERE before < ${PAGE_LENGTH} ORDER BY ${names}`,
    );
  }

  /** @param values of the conditions */
  async page(tx: Transaction, values: readonly SqlValue[], limit: number): Promise<Page<Row>> {
    let length = 0;
    const isFull = (row: Row): boolean => (length += this.lengthOf(row)) >= PAGE_LENGTH;
    const entries = await this.statement.rowsUntil(tx, [...values, limit], isFull);
    return { entries, isLast: entries.length < limit && length < PAGE_LENGTH && !isCut(entries) };
  }

  /** Whether rows have as much text together as a page may have. */
  fillPage(rows: readonly Row[]): boolean {
    return rows.reduce((sum, row) => sum + this.lengthOf(row), 0) >= PAGE_LENGTH;
  }

  private lengthOf(row: Row): number {
    let length = 0;
    for (const text of this.texts) {
      const value = row[text];
      if (typeof value === 'string') length += value.length;
    }
    return length;
  }
}

/** PostgreSQL says with each row how many there were before the page was cut. */
function isCut(rows: readonly object[]): boolean {
  const [first] = rows as readonly { readonly fetched?: unknown }[];
  return first?.fetched !== undefined && Number(first.fetched) > rows.length;
}
