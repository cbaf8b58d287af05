import type { Page } from '../../common/collection-query.js';
import { Statement } from './statement.js';
import { type SqlValue } from '../transaction.js';
import type { Transaction } from '../transaction.js';

/** Characters (SQLite) or octets (PostgreSQL) per page; one record may have 131,070. */
const PAGE_LENGTH = 2 ** 18;
/** Short rows up to this number are read in one call: on SQLite, one by one takes a fifth longer. */
const FEW = 25;

interface Paging<Row> {
  /** Unique; orders the rows. */
  readonly key: string;
  /** Their aliases in the statement. */
  readonly names?: string;
  /** Aliases of columns with long text. */
  readonly texts: readonly (keyof Row & string)[];
  readonly forPostgres?: string;
  readonly short?: ShortRows<Row>;
}

/** Rows with `null` in place of long texts. */
interface ShortRows<Row> {
  readonly select: string;
  readonly forPostgres: string;
  /** It is `null` in no other row. */
  readonly text: keyof Row & string;
}

/** One page in key order, limited in rows and text length. Holds at least one row, if any exists. */
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

/** PostgreSQL returns the number of rows before the cut with each row. */
function isCut(rows: readonly object[]): boolean {
  const [first] = rows as readonly { readonly fetched?: unknown }[];
  return first?.fetched !== undefined && Number(first.fetched) > rows.length;
}
