import { Injectable } from '@nestjs/common';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import { IN_ZONE } from '../database/statements/contents-id.js';
import { BulkWrite, unnest } from '../database/statements/bulk-write.js';
import { Lookup } from '../database/statements/lookup.js';
import { Statement } from '../database/statements/statement.js';
import type { Transaction } from '../database/transaction.js';
import { setKeyOf } from './changes/set-notes.js';
import type { RecordContent } from './record-content.js';
import type { SetKey } from './record-set.entity.js';
import type { RecordEntity } from './record.entity.js';
import { RecordRepository } from './record.repository.js';

/** Temporary table of the writer connection, so that memory does not limit the zone size. */
const CREATE = new Statement('CREATE TEMPORARY TABLE IF NOT EXISTS seen_records AS SELECT id FROM records WHERE 1 = 0');
const INDEX = new Statement('CREATE UNIQUE INDEX IF NOT EXISTS seen_records_id ON seen_records (id)');
const CLEAR = new Statement('DELETE FROM seen_records');
const CREATE_SETS = new Statement(
  'CREATE TEMPORARY TABLE IF NOT EXISTS seen_sets AS SELECT owner_key, type FROM record_sets WHERE 1 = 0',
);
const INDEX_SETS = new Statement('CREATE UNIQUE INDEX IF NOT EXISTS seen_sets_key ON seen_sets (owner_key, type)');
const CLEAR_SETS = new Statement('DELETE FROM seen_sets');
/** Only existing sets, so a new zone adds none. */
const ADD_SETS = new BulkWrite({
  columns: { zone_id: 'text', owner_key: 'text', type: 'text' },
  sqlite: {
    sql:
      'INSERT INTO seen_sets (owner_key, type) SELECT owner_key, type FROM record_sets' +
      ` WHERE ${IN_ZONE} AND owner_key = ? AND type = ? ON CONFLICT (owner_key, type) DO NOTHING`,
  },
  postgres: (arrays) =>
    `INSERT INTO seen_sets (owner_key, type) SELECT f.owner_key, f.type FROM ${unnest(arrays)} AS k (zone_id, owner_key, type)` +
    ' CROSS JOIN LATERAL (SELECT s.owner_key, s.type FROM record_sets s WHERE s.zone_id = k.zone_id AND s.owner_key = k.owner_key' +
    ' AND s.type = k.type OFFSET 0) f ON CONFLICT (owner_key, type) DO NOTHING',
});
const SEEN_SETS = new Lookup<SetKey>(
  'SELECT owner_key AS "ownerKey", type FROM seen_sets WHERE owner_key = ? AND type = ?',
  ['text', 'text'],
);
const ADD = new BulkWrite({
  columns: { zone_id: 'text', owner_key: 'text', type: 'text', fingerprint: 'text' },
  sqlite: {
    sql:
      'INSERT INTO seen_records (id) SELECT id FROM records' +
      ` WHERE ${IN_ZONE} AND owner_key = ? AND type = ? AND fingerprint = ? ON CONFLICT (id) DO NOTHING`,
  },
  // OFFSET 0 as in `Lookup`.
  postgres: (arrays) =>
    `INSERT INTO seen_records (id) SELECT f.id FROM ${unnest(arrays)} AS k (zone_id, owner_key, type, fingerprint)` +
    ' CROSS JOIN LATERAL (SELECT r.id FROM records r WHERE r.zone_id = k.zone_id AND r.owner_key = k.owner_key' +
    ' AND r.type = k.type AND r.fingerprint = k.fingerprint OFFSET 0) f ON CONFLICT (id) DO NOTHING',
});
const MISSING = new Statement<{ id: string }>(
  `SELECT id FROM records WHERE ${IN_ZONE} AND id > ? AND NOT EXISTS (SELECT 1 FROM seen_records s WHERE s.id = records.id) ORDER BY id LIMIT ?`,
);
const PAGE_SIZE = 500;
const FIRST_PAGE_SIZE = 16;
/** Octets of text and RDATA that halve the next page. */
const PAGE_OCTETS = 4_194_304;

type RunPart = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

/** Remembers which records of a zone are in its replacement, for one change. */
@Injectable()
export class SeenRecordsRepository {
  constructor(private readonly records: RecordRepository) {}

  async begin(tx: Transaction): Promise<void> {
    await CREATE.run(tx, []);
    await INDEX.run(tx, []);
    await CLEAR.run(tx, []);
    await CREATE_SETS.run(tx, []);
    await INDEX_SETS.run(tx, []);
    await CLEAR_SETS.run(tx, []);
  }

  async add(tx: Transaction, zoneId: string, contents: readonly RecordContent[]): Promise<void> {
    const rows = contents.map(({ ownerKey, type, fingerprint }) => [zoneId, ownerKey, type, fingerprint]);
    await ADD.run(tx, rows);
    const sets = uniqueSets(contents).map(({ ownerKey, type }) => [zoneId, ownerKey, type]);
    await ADD_SETS.run(tx, sets);
  }

  setsAmong(tx: Transaction, sets: readonly SetKey[]): Promise<SetKey[]> {
    const keys = uniqueSets(sets).map(({ ownerKey, type }) => [ownerKey, type]);
    return SEEN_SETS.rows(tx, [], keys);
  }

  /** Pages of records not seen. Those of long records are small: SQLite writes a page in one go. */
  async *missing(run: RunPart, zoneId: string): AsyncGenerator<RecordEntity[]> {
    let size = FIRST_PAGE_SIZE;
    for (let marker = ''; ;) {
      const limit = size;
      const records = await run((tx) => this.missingPage(tx, zoneId, marker, limit));
      yield records;
      const last = records.at(-1);
      if (last === undefined || records.length < limit) return;
      marker = last.id;
      const octets = records.reduce((sum, { data, rdata }) => sum + data.length + rdata.length, 0);
      size = octets > PAGE_OCTETS ? Math.max(1, Math.floor(size / 2)) : Math.min(PAGE_SIZE, 2 * size);
      await nextTurn();
    }
  }

  private async missingPage(tx: Transaction, zoneId: string, marker: string, limit: number): Promise<RecordEntity[]> {
    const page = await MISSING.rows(tx, [zoneId, marker, limit]);
    const ids = page.map(({ id }) => id);
    return this.records.findAll(tx, zoneId, ids);
  }
}

function uniqueSets(sets: readonly SetKey[]): SetKey[] {
  return [...new Map(sets.map((set) => [setKeyOf(set), set])).values()];
}
