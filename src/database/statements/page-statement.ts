import type { Page } from '../../common/page.js';
import type { SqlValue } from './sql-value.js';
import { Statement } from './statement.js';
import type { Transaction } from '../transaction.js';

/** A page ends where its text has so many characters (SQLite) or octets (PostgreSQL); one record may have 131,070. */
const PAGE_LENGTH = 2 ** 18;
/** So few rows are read at once where no text of theirs is long: SQLite takes a fifth longer to hand them over one by one. */
const FEW = 25;

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
  readonly short?: ShortRows<Row>;
}

/** The same rows for both databases, but for long texts of one column, in whose place there is `null`. */
interface ShortRows<Row> {
  readonly select: string;
  readonly forPostgres: string;
  /** The column as the statement calls it. It is `null` in no other row. */
  readonly text: keyof Row & string;
}

/**
 * One page of rows in the order of a key, bounded in rows and in the length of their text, since memory depends on both.
 * A page has at least one row where there is one.
 */
export class PageStatement<Row extends object> {
  private readonly statement: Statement<Row>;
  private readonly texts: Paging<Row>['texts'];
  private readonly few: { readonly statement: Statement<Row>; readonly text: keyof Row & string } | null;

  /** @param select ends with the conditions */
  constructor(select: string, { key, names = key, texts, forPostgres = select, short }: Paging<Row>) {
    this.texts = texts;
    const length = texts.map((text) => `COALESCE(OCTET_LENGTH("${text}"), 0)`).join(' + ');
    const page = (sql: string): string => `${sql} ORDER BY ${key} LIMIT ?`;
    this.statement = new Statement<Row>(
      page(select),
      `SELECT * FROM (SELECT p.*, COUNT(*) OVER () AS fetched, SUM(${length}) OVER (ORDER BY ${names}) - (${length}) AS before` +
        ` FROM (${page(forPostgres)}) p) q WHERE before < ${PAGE_LENGTH} ORDER BY ${names}`,
    );
    this.few = short
      ? { statement: new Statement<Row>(page(short.select), page(short.forPostgres)), text: short.text }
      : null;
  }

  /** @param values of the conditions */
  async page(tx: Transaction, values: readonly SqlValue[], limit: number): Promise<Page<Row>> {
    if (this.few !== null && limit <= FEW) {
      const { statement, text } = this.few;
      const entries = await statement.rows(tx, [...values, limit]);
      if (entries.every((row) => row[text] !== null)) return { entries, isLast: entries.length < limit };
    }
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
