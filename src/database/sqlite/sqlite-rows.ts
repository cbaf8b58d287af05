import type { SqlValue } from '../transaction.js';
import { type NamedValues, type SqliteConnection, SqliteText } from './sqlite-connection.js';

/** A call costs as much as writing one row. */
const AT_A_TIME = 20;
/** From this number of rows on, shared values are passed once: each value costs a tenth of a row. */
const MANY = 5 * AT_A_TIME;
/** Rows of a table nearly always differ in the same columns. */
const MOST_FORMS = 8;

/** Inserts many rows with few calls and values. */
export class SqliteRows {
  /** By the columns that differ; the most recently used last. */
  private readonly forms = new Map<string, Form>();

  /**
   * @param into the beginning of the statement, up to the columns
   * @param valueOf SQL for the value of each column, from the given one
   */
  constructor(
    private readonly into: string,
    private readonly valueOf: readonly ((given: string) => string)[],
  ) {}

  /** Returns the number of written rows; fewer than `AT_A_TIME` are left. */
  insert(connection: SqliteConnection, rows: readonly (readonly SqlValue[])[]): number {
    const [first] = rows;
    if (first === undefined || rows.length < AT_A_TIME) return 0;
    const { text, differing, alike } = this.formFor(rows, first);
    const statement = text.on(connection);
    const named: NamedValues = Object.fromEntries(alike.map((column) => [nameOf(column), first[column] ?? null]));
    let at = 0;
    for (; at + AT_A_TIME <= rows.length; at += AT_A_TIME) statement.runNamed(valuesOf(rows, at, differing), named);
    return at;
  }

  private formFor(rows: readonly (readonly SqlValue[])[], first: readonly SqlValue[]): Form {
    const columns = [...this.valueOf.keys()];
    const differs = (column: number): boolean => rows.some((row) => row[column] !== first[column]);
    const differing = rows.length < MANY ? columns : columns.filter(differs);
    const key = differing.join();
    const form = this.forms.get(key) ?? this.newForm(columns, differing);
    this.forms.delete(key);
    this.forms.set(key, form);
    const [oldest = key] = this.forms.keys();
    if (this.forms.size > MOST_FORMS) this.forms.delete(oldest);
    return form;
  }

  private newForm(columns: readonly number[], differing: readonly number[]): Form {
    const alike = columns.filter((column) => !differing.includes(column));
    const row = `(${columns.map((column) => (differing.includes(column) ? '?' : `@${nameOf(column)}`)).join(', ')})`;
    const rows = `VALUES ${Array(AT_A_TIME).fill(row).join(', ')}`;
    const given = columns.map((column) => `column${column + 1}`);
    const values = this.valueOf.map((valueOf, column) => valueOf(given[column] ?? ''));
    const isAsGiven = values.join() === given.join();
    const text = new SqliteText<never>(
      `${this.into} ${isAsGiven ? rows : `SELECT ${values.join(', ')} FROM (${rows}) given`}`,
    );
    return { text, differing, alike };
  }
}

interface Form {
  readonly text: SqliteText<never>;
  readonly differing: readonly number[];
  readonly alike: readonly number[];
}

function nameOf(column: number): string {
  return `c${column}`;
}

/** `flatMap()` takes ten times as long. */
function valuesOf(rows: readonly (readonly SqlValue[])[], from: number, columns: readonly number[]): SqlValue[] {
  const values: SqlValue[] = [];
  for (let at = from; at < from + AT_A_TIME; at += 1) {
    const row = rows[at] ?? [];
    for (const column of columns) values.push(row[column] ?? null);
  }
  return values;
}
