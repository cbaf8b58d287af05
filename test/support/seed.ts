import Database from 'better-sqlite3';
import { timeOrderedUuid } from '../../src/common/uuid.js';
import { knownRecordTypes } from '../../src/record-types.js';
import { readRecordContent } from '../../src/records/record-content.js';

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
export function seedRecords(databaseFile: string, domainId: string, count: number): string[] {
  const database = new Database(databaseFile, { fileMustExist: true });
  try {
    return database.transaction(() => seed(database, domainId, count)).immediate();
  } finally {
    database.close();
  }
}

function seed(database: Database.Database, domainId: string, count: number): string[] {
  const domain = database.prepare('SELECT * FROM domains WHERE id = ?').get(domainId) as DomainRow;
  const insertRecord = database.prepare(
    `INSERT INTO records (domain_id, id, name, owner_key, type, data, rdata, fingerprint, version, created_at)
     VALUES (?, ?, ?, ?, 'A', ?, ?, ?, 1, ?)`,
  );
  const insertSet = database.prepare("INSERT INTO recordsets VALUES (?, ?, 'A', 1, 4)");
  const insertEntry = database.prepare(
    "INSERT INTO journal VALUES (?, ?, ?, 'record.create', NULL, ?, ?, 'req-seed', ?)",
  );
  const start = Math.max(Date.now() * 1000, domain.changed_at + 1);
  const ids = Array.from({ length: count }, (_, at) => {
    const id = timeOrderedUuid(start + at);
    const name = `h${String(at)}.${domain.name}`;
    const data = seededAddress(at);
    const { ownerKey, rdata, fingerprint } = readRecordContent(TYPES, { name, type: 'A', data });
    const hex = Buffer.from(rdata).toString('hex');
    insertRecord.run(domain.id, id, name, ownerKey, data, hex, fingerprint, start + at);
    insertSet.run(domain.id, ownerKey);
    const after = { id, name, type: 'A', data, priority: null, ttl: null, description: null, rdata: hex };
    const number = domain.version + at + 1;
    insertEntry.run(domain.id, number, domain.serial + at + 1, JSON.stringify(after), domain.tenant_id, start + at);
    return id;
  });
  database
    .prepare(
      'UPDATE domains SET serial = ?, version = ?, record_count = ?, recordset_count = ?, changed_at = ? WHERE id = ?',
    )
    .run(domain.serial + count, domain.version + count, count, count, start + count - 1, domain.id);
  return ids;
}

/** The data of the record `h<at>`. */
export function seededAddress(at: number): string {
  return `10.${String((at >> 16) & 255)}.${String((at >> 8) & 255)}.${String(at & 255)}`;
}
