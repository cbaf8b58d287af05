import { Injectable } from '@nestjs/common';
import { ServiceError } from '../common/service-error.js';
import { type UniqueKey, violatesUniqueKey } from '../database/database-failure.js';
import { Reads } from '../database/reads.js';
import { deleteStepwise, type SqlValue, Statement } from '../database/statement.js';
import type { Transaction } from '../database/transaction.js';
import type { RecordContent } from './record-content.js';
import type { RecordEntity } from './record.entity.js';

/** A record as far as clients see it. */
export type ShownRecord = Omit<RecordEntity, 'ownerKey' | 'rdata' | 'fingerprint'>;

const SHOWN_COLUMNS =
  'id, zone_id AS "zoneId", name, type, data, priority, ttl, description, version,' +
  ' created_at AS "createdAt", updated_at AS "updatedAt"';
const COLUMNS = `${SHOWN_COLUMNS}, owner_key AS "ownerKey", rdata, fingerprint`;

const FIND = new Statement<RecordEntity>(`SELECT ${COLUMNS} FROM records WHERE zone_id = ? AND id = ?`);
const FIND_SHOWN = new Statement<ShownRecord & { tenantId: string }>(
  `SELECT ${SHOWN_COLUMNS}, (SELECT tenant_id FROM zones WHERE zones.id = zone_id) AS "tenantId"` +
    ' FROM records WHERE zone_id = ? AND id = ?',
);
const INSERT = new Statement(
  'INSERT INTO records (zone_id, id, name, owner_key, type, data, priority, ttl, description, rdata, fingerprint,' +
    ' version, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
);
const UPDATE = new Statement(
  'UPDATE records SET name = ?, owner_key = ?, data = ?, priority = ?, ttl = ?, description = ?, rdata = ?,' +
    ' fingerprint = ?, version = ?, updated_at = ? WHERE zone_id = ? AND id = ?',
);
const DELETE = new Statement('DELETE FROM records WHERE zone_id = ? AND id = ?');
const DELETE_SOME = new Statement<unknown>(
  'DELETE FROM records WHERE zone_id = ? AND id IN (SELECT id FROM records WHERE zone_id = ? LIMIT ?) RETURNING 1',
);
const FIND_DUPLICATE = new Statement<RecordEntity>(
  `SELECT ${COLUMNS} FROM records WHERE zone_id = ? AND owner_key = ? AND type = ? AND fingerprint = ?`,
);
/** The last id of the window that begins after a marker. */
const WINDOW_END = new Statement<{ id: string }>(
  'SELECT id FROM records WHERE zone_id = ? AND id > ? ORDER BY id LIMIT 1 OFFSET ?',
);

const FINGERPRINT: UniqueKey = {
  name: 'records_fingerprint',
  table: 'records',
  columns: ['zone_id', 'owner_key', 'type', 'fingerprint'],
};

/** How many records a filter without an index looks at before others get their turn. */
const WINDOW = 5000;
/** Sorts after every id. */
const END = '~';

/** A record as far as name servers see it. */
export type ServedRecord = Pick<RecordEntity, 'id' | 'name' | 'ownerKey' | 'type' | 'ttl' | 'rdata' | 'fingerprint'>;

const SERVED_COLUMNS = 'id, name, owner_key AS "ownerKey", type, ttl, rdata, fingerprint';
/** A page ends where its text has so many characters, or with so many records: one may have 131,070 of RDATA alone. */
const SERVED_PAGE_LENGTH = 2 ** 18;
const SERVED_PAGE_SIZE = 1000;
const SERVED_PAGE = pageStatement<ServedRecord>(
  `SELECT ${SERVED_COLUMNS} FROM records WHERE zone_id = ? AND (owner_key, type, fingerprint) > (?, ?, ?)`,
  'owner_key, type, fingerprint',
  '"ownerKey", type, fingerprint',
);
const PAGE_OF_ALL = pageStatement<ServedRecord & { zoneId: string }>(
  `SELECT zone_id AS "zoneId", ${SERVED_COLUMNS} FROM records WHERE (zone_id, id) > (?, ?)`,
  'zone_id, id',
  '"zoneId", id',
);
const SERVED_SET = new Statement<ServedRecord>(
  `SELECT ${SERVED_COLUMNS} FROM records WHERE zone_id = ? AND owner_key = ? AND type = ? ORDER BY fingerprint`,
);
/** The smallest ttl of a record set without one of its records. */
const SMALLEST_TTL = new Statement<{ ttl: number | null }>(
  'SELECT MIN(ttl) AS ttl FROM records WHERE zone_id = ? AND owner_key = ? AND type = ? AND id <> ?',
);
/** Before every record: no key sorts below the empty text. */
const START = { ownerKey: '', type: '', fingerprint: '' };

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
  findShown(zoneId: string, id: string): Promise<(ShownRecord & { readonly tenantId: string }) | undefined> {
    return this.reads.run((tx) => FIND_SHOWN.first(tx, [zoneId, id]));
  }

  /** @throws ServiceError `record_not_found` */
  findForChange(tx: Transaction, zoneId: string, id: string): Promise<RecordEntity> {
    return findIn(tx, zoneId, id);
  }

  /** Up to `limit` records after `marker` in the order of their creation. */
  async page(zoneId: string, filter: RecordFilter, marker: string, limit: number): Promise<ShownRecord[]> {
    const isIndexed = filter.ownerKey !== null || (filter.type === null && filter.data === null);
    if (isIndexed) return this.reads.run((tx) => select(tx, { zoneId, filter, after: marker, to: END, limit }));
    return this.scan(zoneId, filter, marker, limit);
  }

  /** Looks for what no index finds window by window, so that a large zone does not hold up everybody else. */
  private async scan(zoneId: string, filter: RecordFilter, marker: string, limit: number): Promise<ShownRecord[]> {
    const found: ShownRecord[] = [];
    for (let after = marker; after !== END && found.length < limit;) {
      const to = await this.reads.run((tx) => WINDOW_END.first(tx, [zoneId, after, WINDOW - 1]));
      const window = { zoneId, filter, after, to: to?.id ?? END, limit: limit - found.length };
      found.push(...(await this.reads.run((tx) => select(tx, window))));
      after = window.to;
      await new Promise(setImmediate);
    }
    return found;
  }

  /** All records of a zone in the canonical order of their owner names, record sets together, read page by page. */
  async *served(tx: Transaction, zoneId: string): AsyncGenerator<ServedRecord> {
    let after: Pick<ServedRecord, 'ownerKey' | 'type' | 'fingerprint'> = START;
    for (;;) {
      const { ownerKey, type, fingerprint } = after;
      const page = await SERVED_PAGE.rowsUpTo(tx, [zoneId, ownerKey, type, fingerprint], SERVED_PAGE_LENGTH);
      yield* page;
      const last = page[page.length - 1];
      if (last === undefined) return;
      after = last;
      // Reading is synchronous on SQLite: other requests get their turn between two pages.
      await new Promise(setImmediate);
    }
  }

  /** All records of all zones; each page is read by itself, so that they are not of one moment. */
  async *all(): AsyncGenerator<ServedRecord & { readonly zoneId: string }> {
    let after = { zoneId: '', id: '' };
    for (;;) {
      const { zoneId, id } = after;
      const page = await this.reads.run((tx) => PAGE_OF_ALL.rowsUpTo(tx, [zoneId, id], SERVED_PAGE_LENGTH));
      yield* page;
      const last = page[page.length - 1];
      if (last === undefined) return;
      after = last;
      await new Promise(setImmediate);
    }
  }

  /** The records of one record set. */
  servedSet(tx: Transaction, zoneId: string, ownerKey: string, type: string): Promise<ServedRecord[]> {
    return SERVED_SET.rows(tx, [zoneId, ownerKey, type]);
  }

  /** The smallest ttl in seconds of the other records in a record's set; `null` when none has one. */
  async smallestTtl(tx: Transaction, { zoneId, ownerKey, type, id }: RecordEntity): Promise<number | null> {
    return (await SMALLEST_TTL.first(tx, [zoneId, ownerKey, type, id]))?.ttl ?? null;
  }

  /** The record that this content would duplicate. */
  findDuplicate(tx: Transaction, zoneId: string, content: RecordContent): Promise<RecordEntity | undefined> {
    const { ownerKey, type, fingerprint } = content;
    return FIND_DUPLICATE.first(tx, [zoneId, ownerKey, type, fingerprint]);
  }

  /** @throws ServiceError `duplicate_record` */
  async insert(tx: Transaction, record: RecordEntity): Promise<void> {
    const { zoneId, id, name, ownerKey, type, data, priority, ttl, description } = record;
    const { rdata, fingerprint, version, createdAt, updatedAt } = record;
    const contents = [name, ownerKey, type, data, priority, ttl, description, rdata, fingerprint];
    await refusingDuplicates(record, INSERT.run(tx, [zoneId, id, ...contents, version, createdAt, updatedAt]));
  }

  /** @throws ServiceError `duplicate_record` */
  async update(tx: Transaction, record: RecordEntity): Promise<void> {
    const { zoneId, id, name, ownerKey, data, priority, ttl, description } = record;
    const { rdata, fingerprint, version, updatedAt } = record;
    const contents = [name, ownerKey, data, priority, ttl, description, rdata, fingerprint];
    await refusingDuplicates(record, UPDATE.run(tx, [...contents, version, updatedAt, zoneId, id]));
  }

  async delete(tx: Transaction, { zoneId, id }: RecordEntity): Promise<void> {
    await DELETE.run(tx, [zoneId, id]);
  }

  async deleteAll(tx: Transaction, zoneId: string): Promise<void> {
    await deleteStepwise(tx, DELETE_SOME, zoneId);
  }
}

async function findIn(tx: Transaction, zoneId: string, id: string): Promise<RecordEntity> {
  const record = await FIND.first(tx, [zoneId, id]);
  if (record === undefined) throw noSuchRecord();
  return record;
}

/** The refusal of a record that is not there. */
export function noSuchRecord(): ServiceError {
  return new ServiceError('record_not_found', 'There is no such record in this zone; list its records.');
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
  readonly zoneId: string;
  readonly filter: RecordFilter;
  readonly after: string;
  readonly to: string;
  readonly limit: number;
}

/**
 * A page in the order of a key; on SQLite it is `rowsUpTo` that ends it where its text becomes too long.
 * @param names what the statement calls the columns of the key
 */
function pageStatement<Row>(select: string, key: string, names: string): Statement<Row> {
  const page = `${select} ORDER BY ${key} LIMIT ${SERVED_PAGE_SIZE}`;
  return new Statement<Row>(
    page,
    `SELECT * FROM (SELECT p.*, SUM(OCTET_LENGTH(rdata)) OVER (ORDER BY ${names}) - OCTET_LENGTH(rdata) AS before` +
      ` FROM (${page}) p) q WHERE before < ${SERVED_PAGE_LENGTH} ORDER BY ${names}`,
  );
}

const selectStatements = new Map<string, Statement<ShownRecord>>();

function select(tx: Transaction, { zoneId, filter, after, to, limit }: Selection): Promise<ShownRecord[]> {
  const conditions = [
    { column: 'owner_key', value: filter.ownerKey },
    { column: 'type', value: filter.type },
    { column: 'data', value: filter.data },
  ].filter(({ value }) => value !== null);
  const sql = conditions.map(({ column }) => ` AND ${column} = ?`).join('');
  const values: SqlValue[] = [zoneId, after, to, ...conditions.map(({ value }) => value), limit];
  return selectStatement(sql).rows(tx, values);
}

/** Without it SQLite would rather walk a zone in the order of its ids than sort the handful at one name. */
const BY_OWNER = ' INDEXED BY records_fingerprint';

/** One prepared statement for each set of filters. */
function selectStatement(conditions: string): Statement<ShownRecord> {
  let statement = selectStatements.get(conditions);
  if (statement === undefined) {
    const sql = (hint: string): string =>
      `SELECT ${SHOWN_COLUMNS} FROM records${hint} WHERE zone_id = ? AND id > ? AND id <= ?${conditions}` +
      ' ORDER BY id LIMIT ?';
    statement = new Statement(sql(conditions.includes('owner_key') ? BY_OWNER : ''), sql(''));
    selectStatements.set(conditions, statement);
  }
  return statement;
}
