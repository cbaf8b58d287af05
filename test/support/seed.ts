import Database from 'better-sqlite3';
import { timeOrderedUuid } from '../../src/common/uuid.js';
import { knownRecordTypes } from '../../src/app/record-types.js';
import { readRecordContent } from '../../src/records/record-content.js';
import { queryPostgres } from './postgres.js';
import { isPostgresUrl, lookInto } from './stored.js';

interface DomainRow {
  readonly id: string;
  readonly name: string;
  readonly tenant_id: string;
  readonly serial: number;
  readonly version: number;
  readonly changed_at: number;
}

const TYPES = knownRecordTypes();

/**
 * Puts `count` A records `h0`, `h1`, … into an empty domain in one transaction, as `count` creates would have left
 * them, journal included. Returns their ids in the order of creation. For tests that need more than requests can make.
 */
export function seedRecords(database: string, zoneId: string, count: number): string[] {
  const [domain] = lookInto(database, ({ rows }) => rows<DomainRow>('SELECT * FROM domains WHERE id = ?', zoneId));
  const seeds = seedsOf(domain!, count);
  if (isPostgresUrl(database)) storeInPostgres(database, seeds);
  else storeInSqlite(database, seeds);
  return seeds.records.map(({ id }) => id);
}

/** The rows of three tables, and the statement that closes the change. */
interface Seeds {
  readonly records: readonly (Readonly<Record<string, unknown>> & { readonly id: string })[];
  readonly recordsets: readonly Readonly<Record<string, unknown>>[];
  readonly journal: readonly Readonly<Record<string, unknown>>[];
  readonly close: string;
}

const TABLES = ['records', 'recordsets', 'journal'] as const;

function seedsOf(domain: DomainRow, count: number): Seeds {
  const start = Math.max(Date.now() * 1000, domain.changed_at + 1);
  const seeds = Array.from({ length: count }, (_, at) => seedOf(domain, at, start + at));
  return {
    records: seeds.map(({ record }) => record),
    recordsets: seeds.map(({ recordset }) => recordset),
    journal: seeds.map(({ entry }) => entry),
    close:
      `UPDATE domains SET serial = serial + ${count}, version = version + ${count}, record_count = ${count},` +
      ` recordset_count = ${count}, changed_at = ${start + count - 1} WHERE id = '${domain.id}'`,
  };
}

function seedOf(domain: DomainRow, at: number, instant: number) {
  const id = timeOrderedUuid(instant);
  const name = `h${String(at)}.${domain.name}`;
  const data = seededAddress(at);
  const { ownerKey, rdata, fingerprint } = readRecordContent(TYPES, { name, type: 'A', data });
  const hex = Buffer.from(rdata).toString('hex');
  const place = { domain_id: domain.id, owner_key: ownerKey, type: 'A' };
  const after = { id, name, type: 'A', data, priority: null, ttl: null, description: null, rdata: hex };
  return {
    record: { ...place, id, name, data, rdata: hex, fingerprint, version: 1, created_at: instant },
    recordset: { ...place, record_count: 1, octets: 4 },
    entry: {
      domain_id: domain.id,
      number: domain.version + at + 1,
      serial: domain.serial + at + 1,
      action: 'record.create',
      after: JSON.stringify(after),
      tenant_id: domain.tenant_id,
      request_id: 'req-seed',
      at: instant,
    },
  };
}

function storeInSqlite(file: string, seeds: Seeds): void {
  const database = new Database(file, { fileMustExist: true });
  const store = database.transaction(() => {
    for (const table of TABLES) {
      const columns = Object.keys(seeds[table][0] ?? {});
      const marks = columns.map((column) => `@${column}`).join(', ');
      const insert = database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`);
      for (const row of seeds[table]) insert.run(row);
    }
    database.exec(seeds.close);
  });
  try {
    store.immediate();
  } finally {
    database.close();
  }
}

function storeInPostgres(url: string, seeds: Seeds): void {
  const insertions = TABLES.map(
    (table, at) =>
      `${table} AS (INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $${at + 1}::json))`,
  );
  const rows = TABLES.map((table) => JSON.stringify(seeds[table]));
  queryPostgres(url, `WITH ${insertions.map((text) => `new_${text}`).join(', ')} ${seeds.close}`, rows);
}

/** The data of the record `h<at>`. */
export function seededAddress(at: number): string {
  return `10.${String((at >> 16) & 255)}.${String((at >> 8) & 255)}.${String(at & 255)}`;
}
