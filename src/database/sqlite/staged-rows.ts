import { asPromise, connectionOf, recordStaged, type SqliteConnection } from './sqlite-connection.js';
import type { SqlValue } from '../transaction.js';
import type { Transaction } from '../transaction.js';

export interface StagedTable {
  readonly name: string;
  /** Finds the rows to alter or remove; empty if the change only adds rows. */
  readonly key: readonly string[];
  readonly alsoFoundBy?: readonly string[];
  /** Has one value in the whole change, so no staging index needs it. */
  readonly scope: string;
  /** Whether rows with the same key are obsolete. */
  readonly replaces?: boolean;
}

/** Values set when the rows move in: SQL with one `?`, and its value. */
export type GivenColumns = Readonly<Record<string, readonly [sql: string, value: SqlValue]>>;

/**
 * Temporary tables with the names of real ones, so that a change writes to them unchanged. If it can touch existing
 * rows, a view with that name shows these rows with the changes applied.
 */
export class StagedRows {
  private constructor(
    private readonly connection: SqliteConnection,
    private readonly tables: readonly HiddenTable[],
  ) {}

  /** @param isBlank no existing row can be touched */
  static over(tx: Transaction, tables: readonly StagedTable[], isBlank: boolean): Promise<StagedRows> {
    return asPromise(() => {
      const connection = connectionOf(tx);
      if (connection === undefined) throw new Error('rows are staged on SQLite only');
      recordStaged(connection);
      const hidden = tables.map((table) => {
        const { name, key } = table;
        const described = { ...table, columns: columnsOf(connection, name), isView: !isBlank && key.length > 0 };
        for (const sql of hiding(described)) connection.prepare(sql).run([]);
        return described;
      });
      connection.prepare(`PRAGMA temp.cache_size = -${CACHE}`).run([]);
      return new StagedRows(connection, hidden);
    });
  }

  /** From here on, the names mean the real tables. */
  reveal(): Promise<void> {
    return asPromise(() => {
      // Staged pages are only read from here on, once.
      this.connection.prepare(`PRAGMA temp.cache_size = -${SMALL_CACHE}`).run([]);
      this.connection.prepare(`PRAGMA main.cache_size = -${CACHE}`).run([]);
      for (const { name, isView } of this.tables) {
        const sql = isView ? `DROP VIEW temp.${name}` : `ALTER TABLE temp.${name} RENAME TO ${stagedOf(name)}`;
        this.connection.prepare(sql).run([]);
      }
    });
  }

  /** Moves the rows in, several per step; call `reveal` first. The event loop runs between steps. */
  *bringingIn(given: Readonly<Record<string, GivenColumns>>): Generator<void> {
    for (const { name, key, isView } of this.tables) {
      const [from, keys] = [goneOf(name), key.join(', ')];
      if (!isView) continue;
      const sql = `DELETE FROM main.${name} WHERE (${keys}) IN (SELECT ${keys} FROM temp.${from} WHERE ${IN_PIECE})`;
      yield* this.inPieces(from, sql, []);
    }
    yield* this.adding(given);
  }

  /**
   * Writes all rows that the views showed with other values of the scope, several per step; call `reveal` first.
   * @param from the stored value of the scope
   */
  *writingAnew(given: Readonly<Record<string, GivenColumns>>, from: SqlValue): Generator<void> {
    for (const table of this.tables) if (table.isView) yield* this.copying(table, from, given[table.name] ?? {});
    yield* this.adding(given);
  }

  /** Rows that the change writes or deletes. */
  get size(): number {
    const tables = this.tables.flatMap(({ name, isView }) => [stagedOf(name), ...(isView ? [goneOf(name)] : [])]);
    return tables.reduce((sum, table) => sum + this.lastOf(table), 0);
  }

  private *adding(given: Readonly<Record<string, GivenColumns>>): Generator<void> {
    for (const { name, columns, replaces = false } of this.tables) {
      const ofTable = given[name] ?? {};
      const from = stagedOf(name);
      const selected = columns.map(({ name, filled }) => ofTable[name]?.[0] ?? filled).join(', ');
      const values = columns.flatMap((column) => ofTable[column.name]?.slice(1) ?? []);
      const verb = replaces ? 'INSERT OR REPLACE' : 'INSERT';
      const into = `${verb} INTO main.${name} (${columns.map((column) => column.name).join(', ')})`;
      yield* this.inPieces(from, `${into} SELECT ${selected} FROM temp.${from} WHERE ${IN_PIECE}`, values);
    }
  }

  /** Copies the rows that the change keeps, in the order of the key. */
  private *copying({ name, key, scope, columns }: HiddenTable, from: SqlValue, given: GivenColumns): Generator<void> {
    const order = key.filter((column) => column !== scope);
    const [keys, marks] = [order.join(', '), order.map(() => '?').join(', ')];
    const ofScope = `FROM main.${name} AS stored INDEXED BY sqlite_autoindex_${name}_1 WHERE ${scope} = ? AND (${keys}) > (${marks})`;
    const end = this.connection.prepare(`SELECT ${keys} ${ofScope} ORDER BY ${keys} LIMIT 1 OFFSET ?`);
    const [newScope = '?', ...newValue] = given[scope] ?? [];
    const names = columns.map((column) => column.name);
    const copy = this.connection.prepare(
      `INSERT INTO main.${name} (${names.join(', ')})` +
        ` SELECT ${names.map((column) => (column === scope ? newScope : column)).join(', ')} ${ofScope}` +
        ` AND (${keys}) <= (${marks}) AND NOT EXISTS (SELECT 1 FROM temp.${goneOf(name)} WHERE ${isSameKey(key, 'stored')})`,
    );
    let count = FIRST_PIECE;
    for (let start: readonly SqlValue[] = order.map(() => ''); ;) {
      const began = performance.now();
      const last = end.get([from, ...start, count - 1]) as Readonly<Record<string, SqlValue>> | undefined;
      const upTo = order.map((column) => last?.[column] ?? AFTER_ALL_KEYS);
      copy.run([...newValue, from, ...start, ...upTo]);
      yield;
      if (last === undefined) return;
      start = upTo;
      count = nextPiece(count, performance.now() - began);
    }
  }

  private lastOf(table: string): number {
    const row = this.connection.prepare(`SELECT MAX(rowid) AS last FROM temp.${table}`).get([]);
    return (row as { readonly last: number | null }).last ?? 0;
  }

  private *inPieces(from: string, sql: string, values: readonly SqlValue[]): Generator<void> {
    const statement = this.connection.prepare(sql);
    const last = this.lastOf(from);
    let count = FIRST_PIECE;
    for (let start = 0; start < last;) {
      const began = performance.now();
      statement.run([...values, start, start + count]);
      start += count;
      count = nextPiece(count, performance.now() - began);
      yield;
    }
  }
}

function nextPiece(count: number, milliseconds: number): number {
  if (milliseconds > LONGEST_PIECE_MS) return Math.max(1, Math.floor(count / 2));
  return milliseconds < LONGEST_PIECE_MS / 4 ? Math.min(LARGEST_PIECE, 2 * count) : count;
}

interface HiddenTable extends StagedTable {
  readonly columns: readonly Column[];
  readonly isView: boolean;
}

/** Some rows have a hundred octets, others a megabyte. */
const FIRST_PIECE = 16;
const LARGEST_PIECE = 1000;
/** After a longer step, the next one is smaller. */
const LONGEST_PIECE_MS = 20;
/** In KiB. Holds the indexes of 100,000 rows that are not in row order. */
const CACHE = 49_152;
const SMALL_CACHE = 2048;
const IN_PIECE = 'rowid > ? AND rowid <= ?';
const AFTER_ALL_KEYS = '\u{10ffff}';

const stagedOf = (name: string): string => `staged_${name}`;
const goneOf = (name: string): string => `gone_${name}`;

interface Column {
  readonly name: string;
  /** A temporary table has no defaults for columns of a later release. */
  readonly filled: string;
}

function columnsOf(connection: SqliteConnection, table: string): Column[] {
  const rows = connection.prepare(`PRAGMA main.table_info(${table})`).all([]) as TableColumn[];
  return rows.map(({ name, notnull, dflt_value: value }) => ({
    name,
    filled: notnull === 0 || value === null ? name : `COALESCE(${name}, ${value})`,
  }));
}

interface TableColumn {
  readonly name: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
}

function hiding(table: HiddenTable): string[] {
  return table.isView ? hidingByView(table) : [emptyLike(table, table.name, '*'), ...indexesOn(table, table.name)];
}

function hidingByView(table: HiddenTable): string[] {
  const { name, key, columns } = table;
  const [staged, gone] = [stagedOf(name), goneOf(name)];
  const isOf = (row: string): string => isSameKey(key, row);
  const valuesOf = (row: string, names: readonly string[]): string =>
    names.map((column) => `${row}.${column}`).join(', ');
  const add = `INSERT INTO ${staged} VALUES (${valuesOf(
    'NEW',
    columns.map((column) => column.name),
  )});`;
  const take = `INSERT OR IGNORE INTO ${gone} VALUES (${valuesOf('OLD', key)}); DELETE FROM ${staged} WHERE ${isOf('OLD')};`;
  const trigger = (event: string, body: string): string =>
    `CREATE TEMP TRIGGER ${name}_${event} INSTEAD OF ${event} ON ${name} BEGIN ${body} END`;
  return [
    emptyLike(table, staged, '*'),
    ...indexesOn(table, staged),
    emptyLike(table, gone, key.join(', ')),
    `CREATE UNIQUE INDEX temp.${gone}_key ON ${gone} (${key.join(', ')})`,
    `CREATE TEMP VIEW ${name} AS SELECT * FROM temp.${staged} UNION ALL SELECT * FROM main.${name} AS stored` +
      ` WHERE NOT EXISTS (SELECT 1 FROM temp.${gone} WHERE ${isOf('stored')})`,
    trigger('INSERT', add),
    trigger('UPDATE', take + add),
    trigger('DELETE', take),
  ];
}

const isSameKey = (key: readonly string[], row: string): string =>
  key.map((column) => `${column} = ${row}.${column}`).join(' AND ');

function emptyLike({ name }: HiddenTable, copy: string, columns: string): string {
  return `CREATE TEMP TABLE ${copy} AS SELECT ${columns} FROM main.${name} WHERE false`;
}

function indexesOn({ key, alsoFoundBy = [], scope }: HiddenTable, copy: string): string[] {
  const indexes = [key, alsoFoundBy].map((columns) => columns.filter((column) => column !== scope));
  return indexes.flatMap((columns, at) =>
    columns.length === 0 ? [] : [`CREATE UNIQUE INDEX temp.${copy}_key${at} ON ${copy} (${columns.join(', ')})`],
  );
}
