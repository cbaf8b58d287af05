import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type BetterSqlite3 from 'better-sqlite3';
import type { SqlValue } from '../transaction.js';
import { loadSqlite } from './sqlite-driver.js';
import { SqliteRows } from './sqlite-rows.js';

const COLUMNS = ['zone', 'number', 'text', 'octets'];

const Database = loadSqlite();
let connection: BetterSqlite3.Database;
let rows: SqliteRows;

beforeEach(() => {
  connection = new Database(':memory:');
  connection.exec(`CREATE TABLE kept (${COLUMNS.join(', ')})`);
  rows = new SqliteRows(
    `INSERT INTO kept (${COLUMNS.join(', ')})`,
    COLUMNS.map(() => (mark) => mark),
  );
});
afterEach(() => void connection.close());

function stored(): unknown[] {
  return connection.prepare('SELECT * FROM kept ORDER BY rowid').raw().all();
}

/** Rows that differ in the given columns and share the other values. */
function rowsThatDifferIn(differing: readonly number[], count: number): SqlValue[][] {
  return Array.from({ length: count }, (_, at) =>
    COLUMNS.map((column, index) => (differing.includes(index) ? `${column} ${at}` : index === 2 ? null : column)),
  );
}

it.each([
  { differing: [0, 1, 2, 3], count: 20 },
  { differing: [1], count: 60 },
  { differing: [0, 1, 2, 3], count: 200 },
  { differing: [1, 3], count: 200 },
  { differing: [], count: 100 },
])('writes $count rows that differ in the columns $differing', ({ differing, count }) => {
  const given = rowsThatDifferIn(differing, count);
  expect(rows.insert(connection, given)).toBe(count);
  expect(stored()).toEqual(given);
});

it('leaves the rows that fill no statement', () => {
  const given = rowsThatDifferIn([1], 119);
  expect(rows.insert(connection, given)).toBe(100);
  expect(rows.insert(connection, given.slice(0, 19))).toBe(0);
  expect(stored()).toEqual(given.slice(0, 100));
});

it('accepts rows that differ in changing columns, and in one only at the end', () => {
  const given = Array.from({ length: 2 ** COLUMNS.length }, (_, choice) =>
    rowsThatDifferIn(
      [0, 1, 2, 3].filter((column) => (choice & (1 << column)) !== 0),
      100,
    ),
  );
  const last = rowsThatDifferIn([1], 100).map((row, at) => (at === 99 ? ['other', ...row.slice(1)] : row));
  for (const some of [...given, last]) rows.insert(connection, some);
  expect(stored()).toEqual([...given.flat(), ...last]);
});
