/**
 * Domains that are copies of one that the service has made: the same rows with another name, other ids and earlier times, since
 * making a million over HTTP takes longer than all that is measured of them. Of its history a copy has the last entry, as after
 * retention.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { labelOf } from './filling.mjs';

const PORTION = 10_000;
/** Tables with rows of a domain, and their domain column. */
const TABLES = {
  zones: 'id',
  records: 'zone_id',
  record_sets: 'zone_id',
  publications: 'zone_id',
  catalog_members: 'zone_id',
};
const LAST_ENTRY = 'SELECT * FROM journal WHERE zone_id = :id ORDER BY number DESC LIMIT 1';
/** An id that begins with its time in milliseconds, the label of the domain, or a time in microseconds. */
const PARTS = /([0-9a-f]{8}-[0-9a-f]{4})(?=-7[0-9a-f]{3}-)|(d0000000)|\b(\d{16})\b/;
const MICROSECONDS = 1e15;

/** SQL that differs between the databases. */
const DIALECTS = {
  sqlite: { hex: (sql) => `printf('%012x', ${sql})`, padded: (sql) => `printf('%07d', ${sql})` },
  postgres: { hex: (sql) => `lpad(to_hex(${sql}), 12, '0')`, padded: (sql) => `lpad(CAST(${sql} AS text), 7, '0')` },
};

/** Domains of the numbers from `from` to below `to`, all copies of number 0. Each is a millisecond older than the one before it. */
export async function copyDomains(database, from, to) {
  const dialect = DIALECTS[database.kind];
  const [{ id }] = await database.rows(`SELECT id FROM zones WHERE name LIKE '${labelOf(0)}.%'`);
  const selects = Object.entries(TABLES).map(([table, key]) => [table, `SELECT * FROM ${table} WHERE ${key} = :id`]);
  const originals = [];
  for (const [table, select] of [...selects, ['journal', LAST_ENTRY]])
    originals.push([table, await database.rows(select.replace(':id', `'${id}'`))]);
  for (let at = from; at < to; at += PORTION) {
    const series = seriesOf(at, Math.min(to, at + PORTION) - 1);
    await database.run(originals.map(([table, rows]) => insertion(table, rows, series, dialect)));
  }
  await database.run([`UPDATE tenants SET zone_count = zone_count + ${to - from}`]);
}

/** Serials of the copies on the name servers. */
export function copySerials(file, from, to) {
  const servers = deserialize(readFileSync(file));
  for (const serials of servers)
    for (const [question, serial] of [...serials].filter(([key]) => key.includes(labelOf(0))))
      for (let at = from; at < to; at += 1) serials.set(question.replace(labelOf(0), labelOf(at)), serial);
  writeFileSync(file, serialize(servers));
}

function seriesOf(first, last) {
  return `WITH RECURSIVE s(k) AS (SELECT CAST(${first} AS bigint) UNION ALL SELECT k + 1 FROM s WHERE k < ${last})`;
}

/** In key order, so that table pages are written sequentially. */
function insertion(table, rows, series, dialect) {
  const columns = Object.keys(rows[0]).filter((column) => rows.some((row) => row[column] !== null));
  const nulls = new Map(
    columns.map((column) => [column, nullBeside(rows.find((row) => row[column] !== null)[column])]),
  );
  const valuesOf = (row) =>
    columns.map((column) => (row[column] === null ? nulls.get(column) : copied(row[column], dialect)));
  const selects = rows.map((row) => `SELECT ${valuesOf(row).join(', ')} FROM s`);
  const names = columns.map((column) => `"${column}"`).join(', ');
  return `INSERT INTO ${table} (${names}) ${series} ${selects.join(' UNION ALL ')} ORDER BY 1, 2`;
}

/** PostgreSQL takes one without a type for a text. */
function nullBeside(value) {
  return `CAST(NULL AS ${typeof value === 'number' ? 'bigint' : 'text'})`;
}

function copied(value, dialect) {
  if (typeof value === 'number') return value > MICROSECONDS ? `${value} - k * 1000` : String(value);
  return value
    .split(PARTS)
    .flatMap((part, at) => (part === undefined || part === '' ? [] : [PART_WRITERS[at % 4](part, dialect)]))
    .join(' || ');
}

/** Writers of the literal parts and of `PARTS`, in order. */
const PART_WRITERS = [
  (text) => `'${text.replaceAll("'", "''")}'`,
  (time, { hex }) => {
    const digits = hex(`${Number.parseInt(time.replace('-', ''), 16)} - k`);
    return `substr(${digits}, 1, 8) || '-' || substr(${digits}, 9, 4)`;
  },
  (label, { padded }) => `'d' || ${padded('k')}`,
  (time) => `CAST(${time} - k * 1000 AS text)`,
];
