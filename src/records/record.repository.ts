import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ServiceError } from '../common/service-error.js';
import { type UniqueKey, violatesUniqueKey } from '../database/database-failure.js';
import { Reads } from '../database/reads.js';
import { deleteStepwise, type SqlValue, Statement } from '../database/statement.js';
import type { Transaction } from '../database/unit-of-work.js';
import type { RecordContent } from './record-content.js';
import type { RecordEntity } from './record.entity.js';

/** A record as far as clients see it. */
export type ShownRecord = Omit<RecordEntity, 'ownerKey' | 'rdata' | 'fingerprint'>;

const SHOWN_COLUMNS =
  'id, domain_id AS "domainId", name, type, data, priority, ttl, description, version,' +
  ' created_at AS "createdAt", updated_at AS "updatedAt"';
const COLUMNS = `${SHOWN_COLUMNS}, owner_key AS "ownerKey", rdata, fingerprint`;

const FIND = new Statement<RecordEntity>(`SELECT ${COLUMNS} FROM records WHERE domain_id = ? AND id = ?`);
const FIND_SHOWN = new Statement<ShownRecord & { tenantId: string }>(
  `SELECT ${SHOWN_COLUMNS}, (SELECT tenant_id FROM domains WHERE domains.id = domain_id) AS "tenantId"` +
    ' FROM records WHERE domain_id = ? AND id = ?',
);
const INSERT = new Statement(
  'INSERT INTO records (domain_id, id, name, owner_key, type, data, priority, ttl, description, rdata, fingerprint,' +
    ' version, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
);
const UPDATE = new Statement(
  'UPDATE records SET name = ?, owner_key = ?, data = ?, priority = ?, ttl = ?, description = ?, rdata = ?,' +
    ' fingerprint = ?, version = ?, updated_at = ? WHERE domain_id = ? AND id = ?',
);
const DELETE = new Statement('DELETE FROM records WHERE domain_id = ? AND id = ?');
const DELETE_SOME = new Statement<unknown>(
  'DELETE FROM records WHERE domain_id = ? AND id IN (SELECT id FROM records WHERE domain_id = ? LIMIT ?) RETURNING 1',
);
const FIND_DUPLICATE = new Statement<RecordEntity>(
  `SELECT ${COLUMNS} FROM records WHERE domain_id = ? AND owner_key = ? AND type = ? AND fingerprint = ?`,
);
/** The last id of the window that begins after a marker. */
const WINDOW_END = new Statement<{ id: string }>(
  'SELECT id FROM records WHERE domain_id = ? AND id > ? ORDER BY id LIMIT 1 OFFSET ?',
);

const FINGERPRINT: UniqueKey = {
  name: 'records_fingerprint',
  table: 'records',
  columns: ['domain_id', 'owner_key', 'type', 'fingerprint'],
};

/** How many records a filter without an index looks at before others get their turn. */
const WINDOW = 5000;
/** Sorts after every id. */
const END = '~';

/** Exact filters of a list; `null` where any value will do. */
export interface RecordFilter {
  readonly ownerKey: string | null;
  readonly type: string | null;
  readonly data: string | null;
}

@Injectable()
export class RecordRepository {
  constructor(private readonly reads: Reads) {}

  /** The record and whose it is, in one look. */
  findShown(domainId: string, id: string): Promise<(ShownRecord & { readonly tenantId: string }) | undefined> {
    return this.reads.run((manager) => FIND_SHOWN.first(manager, [domainId, id]));
  }

  /** @throws ServiceError `record_not_found` */
  findForChange(tx: Transaction, domainId: string, id: string): Promise<RecordEntity> {
    return findIn(tx, domainId, id);
  }

  /** Up to `limit` records after `marker` in the order of their creation. */
  async page(domainId: string, filter: RecordFilter, marker: string, limit: number): Promise<ShownRecord[]> {
    const isIndexed = filter.ownerKey !== null || (filter.type === null && filter.data === null);
    if (isIndexed)
      return this.reads.run((manager) => select(manager, { domainId, filter, after: marker, to: END, limit }));
    return this.scan(domainId, filter, marker, limit);
  }

  /** Looks for what no index finds window by window, so that a large domain does not hold up everybody else. */
  private async scan(domainId: string, filter: RecordFilter, marker: string, limit: number): Promise<ShownRecord[]> {
    const found: ShownRecord[] = [];
    for (let after = marker; after !== END && found.length < limit;) {
      const to = await this.reads.run((manager) => WINDOW_END.first(manager, [domainId, after, WINDOW - 1]));
      const window = { domainId, filter, after, to: to?.id ?? END, limit: limit - found.length };
      found.push(...(await this.reads.run((manager) => select(manager, window))));
      after = window.to;
      await new Promise(setImmediate);
    }
    return found;
  }

  /** The record that this content would duplicate. */
  findDuplicate(tx: Transaction, domainId: string, content: RecordContent): Promise<RecordEntity | undefined> {
    const { ownerKey, type, fingerprint } = content;
    return FIND_DUPLICATE.first(tx, [domainId, ownerKey, type, fingerprint]);
  }

  /** @throws ServiceError `duplicate_record` */
  async insert(tx: Transaction, record: RecordEntity): Promise<void> {
    const { domainId, id, name, ownerKey, type, data, priority, ttl, description } = record;
    const { rdata, fingerprint, version, createdAt, updatedAt } = record;
    const contents = [name, ownerKey, type, data, priority, ttl, description, rdata, fingerprint];
    await refusingDuplicates(record, INSERT.run(tx, [domainId, id, ...contents, version, createdAt, updatedAt]));
  }

  /** @throws ServiceError `duplicate_record` */
  async update(tx: Transaction, record: RecordEntity): Promise<void> {
    const { domainId, id, name, ownerKey, data, priority, ttl, description } = record;
    const { rdata, fingerprint, version, updatedAt } = record;
    const contents = [name, ownerKey, data, priority, ttl, description, rdata, fingerprint];
    await refusingDuplicates(record, UPDATE.run(tx, [...contents, version, updatedAt, domainId, id]));
  }

  async delete(tx: Transaction, { domainId, id }: RecordEntity): Promise<void> {
    await DELETE.run(tx, [domainId, id]);
  }

  async deleteAll(tx: Transaction, domainId: string): Promise<void> {
    await deleteStepwise(tx, DELETE_SOME, domainId);
  }
}

async function findIn(manager: EntityManager, domainId: string, id: string): Promise<RecordEntity> {
  const record = await FIND.first(manager, [domainId, id]);
  if (record === undefined) throw noSuchRecord();
  return record;
}

/** The refusal of a record that is not there. */
export function noSuchRecord(): ServiceError {
  return new ServiceError('record_not_found', 'There is no such record in this domain; list its records.');
}

async function refusingDuplicates(record: RecordEntity, write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!violatesUniqueKey(error, FINGERPRINT)) throw error;
    throw duplicateOf(record);
  }
}

/** The refusal of a record that exists already, however its value is spelled. */
export function duplicateOf({ name, type }: { readonly name: string; readonly type: string }): ServiceError {
  return new ServiceError('duplicate_record', `${name} has this ${type} record already; update that one instead.`);
}

interface Selection {
  readonly domainId: string;
  readonly filter: RecordFilter;
  readonly after: string;
  readonly to: string;
  readonly limit: number;
}

const selectStatements = new Map<string, Statement<ShownRecord>>();

function select(manager: EntityManager, { domainId, filter, after, to, limit }: Selection): Promise<ShownRecord[]> {
  const conditions = [
    { column: 'owner_key', value: filter.ownerKey },
    { column: 'type', value: filter.type },
    { column: 'data', value: filter.data },
  ].filter(({ value }) => value !== null);
  const sql = conditions.map(({ column }) => ` AND ${column} = ?`).join('');
  const values: SqlValue[] = [domainId, after, to, ...conditions.map(({ value }) => value), limit];
  return selectStatement(sql).rows(manager, values);
}

/** Without it SQLite would rather walk a domain in the order of its ids than sort the handful at one name. */
const BY_OWNER = ' INDEXED BY records_fingerprint';

/** One prepared statement for each set of filters. */
function selectStatement(conditions: string): Statement<ShownRecord> {
  let statement = selectStatements.get(conditions);
  if (statement === undefined) {
    const sql = (hint: string): string =>
      `SELECT ${SHOWN_COLUMNS} FROM records${hint} WHERE domain_id = ? AND id > ? AND id <= ?${conditions}` +
      ' ORDER BY id LIMIT ?';
    statement = new Statement(sql(conditions.includes('owner_key') ? BY_OWNER : ''), sql(''));
    selectStatements.set(conditions, statement);
  }
  return statement;
}
