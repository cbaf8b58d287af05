import { Injectable } from '@nestjs/common';
import { Statement } from '../database/statement.js';
import type { ZoneChange } from '../zones/zone-change.js';
import type { RecordContent } from '../records/record-content.js';
import type { RecordEntity } from '../records/record.entity.js';
import { RecordRepository } from '../records/record.repository.js';

/** Temporary to the writer's connection, so that a zone of any size is remembered outside of memory. */
const CREATE = new Statement('CREATE TEMPORARY TABLE IF NOT EXISTS seen_records AS SELECT id FROM records WHERE 1 = 0');
const INDEX = new Statement('CREATE UNIQUE INDEX IF NOT EXISTS seen_records_id ON seen_records (id)');
const CLEAR = new Statement('DELETE FROM seen_records');
const ADD = new Statement(
  'INSERT INTO seen_records (id) SELECT id FROM records' +
    ' WHERE zone_id = ? AND owner_key = ? AND type = ? AND fingerprint = ? ON CONFLICT (id) DO NOTHING',
);
const MISSING = new Statement<{ id: string }>(
  'SELECT id FROM records WHERE zone_id = ? AND id > ? AND NOT EXISTS (SELECT 1 FROM seen_records s WHERE s.id = records.id) ORDER BY id LIMIT ?',
);
const PAGE_SIZE = 500;

/** Which of a zone's records a zone file has, remembered for the length of one change. */
@Injectable()
export class SeenRecordsRepository {
  constructor(private readonly records: RecordRepository) {}

  async begin({ tx }: ZoneChange): Promise<void> {
    await CREATE.run(tx, []);
    await INDEX.run(tx, []);
    await CLEAR.run(tx, []);
  }

  async add({ tx, zone }: ZoneChange, { ownerKey, type, fingerprint }: RecordContent): Promise<void> {
    await ADD.run(tx, [zone.id, ownerKey, type, fingerprint]);
  }

  /** The records that the file does not have. */
  async *missing({ tx, zone }: ZoneChange): AsyncGenerator<RecordEntity> {
    for (let marker = ''; ;) {
      const page = await MISSING.rows(tx, [zone.id, marker, PAGE_SIZE]);
      for (const { id } of page) yield await this.records.findForChange(tx, zone.id, id);
      const last = page[page.length - 1];
      if (last === undefined || page.length < PAGE_SIZE) return;
      marker = last.id;
      await new Promise(setImmediate);
    }
  }
}
