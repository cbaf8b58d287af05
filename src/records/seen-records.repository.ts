import { Injectable } from '@nestjs/common';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import { BulkWrite, unnest } from '../database/statements/bulk-write.js';
import { Statement } from '../database/statements/statement.js';
import type { Transaction } from '../database/transaction.js';
import type { RecordContent } from './record-content.js';
import type { RecordEntity } from './record.entity.js';
import { RecordRepository } from './record.repository.js';

/** Temporary to the writer's connection, so that a zone of any size is remembered outside of memory. */
const CREATE = new Statement('CREATE TEMPORARY TABLE IF NOT EXISTS seen_records AS SELECT id FROM records WHERE 1 = 0');
const INDEX = new Statement('CREATE UNIQUE INDEX IF NOT EXISTS seen_records_id ON seen_records (id)');
const CLEAR = new Statement('DELETE FROM seen_records');
const ADD = new BulkWrite({
  columns: { zone_id: 'text', owner_key: 'text', type: 'text', fingerprint: 'text' },
  sqlite: {
    sql:
      'INSERT INTO seen_records (id) SELECT id FROM records' +
      ' WHERE zone_id = ? AND owner_key = ? AND type = ? AND fingerprint = ? ON CONFLICT (id) DO NOTHING',
  },
  // OFFSET 0 as in `Lookup`.
  postgres: (arrays) =>
    `INSERT INTO seen_records (id) SELECT f.id FROM ${unnest(arrays)} AS k (zone_id, owner_key, type, fingerprint)` +
    ' CROSS JOIN LATERAL (SELECT r.id FROM records r WHERE r.zone_id = k.zone_id AND r.owner_key = k.owner_key' +
    ' AND r.type = k.type AND r.fingerprint = k.fingerprint OFFSET 0) f ON CONFLICT (id) DO NOTHING',
});
const MISSING = new Statement<{ id: string }>(
  'SELECT id FROM records WHERE zone_id = ? AND id > ? AND NOT EXISTS (SELECT 1 FROM seen_records s WHERE s.id = records.id) ORDER BY id LIMIT ?',
);
const PAGE_SIZE = 500;

/** Which of a zone's records are in what will replace them all, remembered for the length of one change. */
@Injectable()
export class SeenRecordsRepository {
  constructor(private readonly records: RecordRepository) {}

  async begin(tx: Transaction): Promise<void> {
    await CREATE.run(tx, []);
    await INDEX.run(tx, []);
    await CLEAR.run(tx, []);
  }

  add(tx: Transaction, zoneId: string, contents: readonly RecordContent[]): Promise<void> {
    return ADD.run(
      tx,
      contents.map(({ ownerKey, type, fingerprint }) => [zoneId, ownerKey, type, fingerprint]),
    );
  }

  /** The records that are not in it, page by page. */
  async *missing(tx: Transaction, zoneId: string): AsyncGenerator<RecordEntity[]> {
    for (let marker = ''; ;) {
      const page = await MISSING.rows(tx, [zoneId, marker, PAGE_SIZE]);
      yield await this.records.findAll(
        tx,
        zoneId,
        page.map(({ id }) => id),
      );
      const last = page[page.length - 1];
      if (last === undefined || page.length < PAGE_SIZE) return;
      marker = last.id;
      await nextTurn();
    }
  }
}
