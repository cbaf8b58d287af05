import { Injectable } from '@nestjs/common';
import type { Instant } from '../common/clock.js';
import type { Page } from '../common/collection-query.js';
import { type SearchClient, inSearchTurns } from '../common/waiting/search-turns.js';
import { ServiceError } from '../common/service-error.js';
import { nextTurn, nextTurnOfChange } from '../common/waiting/event-loop-turns.js';
import { IN_ZONE, zoneOf } from '../database/statements/contents-id.js';
import { bulkDelete, bulkInsert, bulkSet, bulkUpdate, type Columns } from '../database/statements/bulk-write.js';
import { amongKeys, hasLookedUpKey, Lookup } from '../database/statements/lookup.js';
import { Reads } from '../database/reads.js';
import { PageStatement } from '../database/statements/page-statement.js';
import type { SqlValue, Transaction } from '../database/transaction.js';
import { PortionedDelete } from '../database/statements/portioned-delete.js';
import { Statement } from '../database/statements/statement.js';
import { indexedBy, primaryKeyOf, textKey, type Walk, walked } from '../database/statements/walk.js';
import type { RecordContent } from './record-content.js';
import type { SetKey } from './record-set.entity.js';
import { isLeft } from '../zones/left-contents.repository.js';
import { isStaged } from '../zones/staged-imports/staged-import.repository.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import type { RecordEntity } from './record.entity.js';
import { servedRecords } from './served/served-records.js';
import { SERVED_COLUMNS, type ServedRecord } from './stored-record.js';

export type { ServedRecord };

/** A record as clients see it. */
export type RecordView = Omit<RecordEntity, 'ownerKey' | 'rdata' | 'fingerprint'>;

/** A record with the zone columns for access checks. */
export type RecordOfZone = RecordView & Pick<ZoneEntity, 'tenantId' | 'nameKey'>;

const columnsInZone = (data: string): string =>
  `id, name, type, ${data}, priority, ttl, description, version,` +
  ' created_at AS "createdAt", updated_at AS "updatedAt", expires_at AS "expiresAt"';
const SHOWN_COLUMNS = `${zoneOf('zone_id')} AS "zoneId", ${columnsInZone('data')}`;
/** Long data, in octets, are read in small groups. */
const SHORT_DATA = 'CASE WHEN OCTET_LENGTH(data) > 4096 THEN NULL ELSE data END AS data';
const COLUMNS = `${SHOWN_COLUMNS}, owner_key AS "ownerKey", rdata, fingerprint`;

const OF_ZONE_SQL = `SELECT ${COLUMNS} FROM records WHERE ${IN_ZONE}`;
const HAS_ID = hasLookedUpKey('zone_id', 'id');
const FIND = new Lookup<RecordEntity>(
  `${OF_ZONE_SQL} AND id = ?`,
  ['text'],
  `SELECT ${COLUMNS} FROM records WHERE ${HAS_ID}`,
  `${OF_ZONE_SQL} AND ${amongKeys('id')}`,
);
const SET_COLUMNS = 'owner_key AS "ownerKey", type';
const FOUND_AT_A_TIME = 64;
const FIND_SET = new Lookup<SetKey>(
  `SELECT ${SET_COLUMNS} FROM records WHERE ${IN_ZONE} AND id = ?`,
  ['text'],
  `SELECT ${SET_COLUMNS} FROM records WHERE ${HAS_ID}`,
  `SELECT ${SET_COLUMNS} FROM records WHERE ${IN_ZONE} AND ${amongKeys('id')}`,
);
const OF_ZONE_AND_SHOWN =
  `SELECT ${SHOWN_COLUMNS}, (SELECT tenant_id FROM zones WHERE zones.id = ${zoneOf('zone_id')}) AS "tenantId",` +
  ` (SELECT name_key FROM zones WHERE zones.id = ${zoneOf('zone_id')}) AS "nameKey" FROM records`;
const FIND_SHOWN = new Lookup<RecordView & Pick<ZoneEntity, 'nameKey'> & { readonly tenantId: string | null }>(
  `${OF_ZONE_AND_SHOWN} WHERE ${IN_ZONE} AND id = ?`,
  ['text', 'text'],
  `${OF_ZONE_AND_SHOWN} WHERE ${HAS_ID}`,
);
const KEY: Columns = { zone_id: 'contents', id: 'text' };
const OTHERS: Columns = {
  name: 'text',
  owner_key: 'text',
  type: 'text',
  data: 'text',
  priority: 'integer',
  ttl: 'integer',
  description: 'text',
  rdata: 'text',
  fingerprint: 'text',
  version: 'integer',
  created_at: 'bigint',
  updated_at: 'bigint',
  expires_at: 'bigint',
};
const INSERT = bulkInsert('records', { ...KEY, ...OTHERS });
const UPDATE = bulkUpdate('records', KEY, OTHERS);
const DELETE = bulkDelete('records', KEY);
const DELETE_CONTENTS = new PortionedDelete({ table: 'records', key: ['zone_id', 'id'], where: 'zone_id = ?' });
/** Otherwise SQLite would walk a zone in id order instead of sorting the few records at one name. */
const BY_OWNER = ' INDEXED BY records_fingerprint';
const ALIKE_SQL = `${OF_ZONE_SQL} AND owner_key = ? AND type = ? AND fingerprint = ?`;
const FIND_ALIKE = new Lookup<RecordEntity>(
  ALIKE_SQL,
  ['text', 'text', 'text'],
  ALIKE_SQL,
  `SELECT ${COLUMNS} FROM records${BY_OWNER} WHERE ${IN_ZONE} AND ${amongKeys('owner_key', 'type', 'fingerprint')}`,
);
/** Otherwise SQLite would sort a zone by ids. */
const BY_ID = ` INDEXED BY ${primaryKeyOf('records')}`;
const OF_SET = lookupInSet<RecordEntity>(COLUMNS);
const OF_OWNER_SQL = (hint: string): string =>
  `SELECT ${COLUMNS} FROM records${hint} WHERE ${IN_ZONE} AND owner_key = ?`;
const OF_OWNER = new Lookup<RecordEntity>(OF_OWNER_SQL(BY_OWNER), ['text'], OF_OWNER_SQL(''));
const SETS_AT_OWNER = new Lookup<SetKey>(
  `SELECT DISTINCT owner_key AS "ownerKey", type FROM records WHERE ${IN_ZONE} AND owner_key = ?`,
  ['text'],
);
const TTLS_OF_SET = lookupInSet<SetKey & { readonly id: string; readonly ttl: number }>(
  'owner_key AS "ownerKey", type, id, ttl',
  ' AND ttl IS NOT NULL',
);

/** Without a hint SQLite would rather walk a whole zone than fetch the records of a set one by one. */
function lookupInSet<Row>(columns: string, conditions = ''): Lookup<Row> {
  const sql = (hint: string, isInSet = 'owner_key = ? AND type = ?'): string =>
    `SELECT ${columns} FROM records${hint} WHERE ${IN_ZONE} AND ${isInSet}${conditions}`;
  return new Lookup<Row>(sql(BY_OWNER), ['text', 'text'], sql(''), sql(BY_OWNER, amongKeys('owner_key', 'type')));
}

/** No fingerprint has a `~`. */
const OWN_PLACEHOLDER = "'~' || substr(replace(id, '-', ''), 2)";
const FREE_FINGERPRINTS = bulkSet('records', KEY, `fingerprint = ${OWN_PLACEHOLDER}`);
/** Found records per read: each may have 130 KiB of text. */
const SHOWN_AT_A_TIME = 25;
const SHOWN = new Lookup<RecordView>(
  `SELECT ${SHOWN_COLUMNS} FROM records WHERE ${IN_ZONE} AND id = ?`,
  ['text'],
  `SELECT ${SHOWN_COLUMNS} FROM records WHERE ${HAS_ID}`,
);
/** Sorts after every id. */
const END = '~';

const PAGE_OF_ALL_SIZE = 1000;
const IS_OF_ZONE = `NOT ${isLeft('zone_id')} AND NOT ${isStaged('zone_id')}`;
const PAGE_OF_ALL = new PageStatement<ServedRecord & { readonly zoneId: string; readonly contentsId: string }>(
  `SELECT zone_id AS "contentsId", ${zoneOf('zone_id')} AS "zoneId", ${SERVED_COLUMNS} FROM records` +
    ` WHERE (zone_id, id) > (?, ?) AND ${IS_OF_ZONE}`,
  { key: 'zone_id, id', names: '"contentsId", id', texts: ['name', 'ownerKey', 'rdata'] },
);
const SERVED_SET = new Statement<ServedRecord>(
  `SELECT ${SERVED_COLUMNS} FROM records WHERE ${IN_ZONE} AND owner_key = ? AND type = ? ORDER BY fingerprint`,
);
export type ExpiredRecord = Pick<RecordEntity, 'zoneId' | 'id'> & {
  readonly contentsId: string;
  readonly expiresAt: Instant;
};

const EXPIRED = new Statement<ExpiredRecord>(
  `SELECT zone_id AS "contentsId", ${zoneOf('zone_id')} AS "zoneId", id, expires_at AS "expiresAt" FROM records` +
    ` WHERE expires_at <= ? AND ${IS_OF_ZONE} AND (expires_at, zone_id, id) > (?, ?, ?) ORDER BY expires_at, zone_id, id LIMIT ?`,
);
const ANY_EXPIRING = new Statement<{ one: number }>(
  'SELECT 1 AS one FROM records WHERE expires_at IS NOT NULL LIMIT 1',
);
const EXPIRING_IN_ZONE = new Statement<Pick<RecordEntity, 'ownerKey' | 'type' | 'rdata'>>(
  'SELECT owner_key AS "ownerKey", type, rdata FROM records WHERE zone_id = ? AND expires_at IS NOT NULL',
);
/** Exact filters of a list; `null`: any value. */
export interface RecordFilter {
  readonly ownerKey: string | null;
  readonly type: string | null;
  readonly data: string | null;
}

const NO_FILTER: RecordFilter = { ownerKey: null, type: null, data: null };

/** Search of one caller in a zone. */
export interface RecordSearch {
  readonly zoneId: string;
  readonly filter: RecordFilter;
  readonly searchClient: SearchClient;
}

@Injectable()
export class RecordRepository {
  constructor(private readonly reads: Reads) {}

  /** Not of a deleted zone, whose records may still be stored (storage 18.11). */
  async findShown(zoneId: string, id: string): Promise<RecordOfZone | undefined> {
    const record = await this.reads.lookUp(FIND_SHOWN, [zoneId, id]);
    return record?.tenantId === null ? undefined : (record as RecordOfZone | undefined);
  }

  findAll(tx: Transaction, zoneId: string, ids: readonly string[]): Promise<RecordEntity[]> {
    const keys = ids.map((id) => [id]);
    return FIND.longRows(tx, [zoneId], keys);
  }

  /** Sets of the records that exist. Groups are small: SQLite reads all of a long record to find it by id. */
  async setsOf(tx: Transaction, zoneId: string, ids: readonly string[]): Promise<SetKey[]> {
    const sets: SetKey[] = [];
    for (let from = 0; from < ids.length; from += FOUND_AT_A_TIME) {
      if (from > 0) await nextTurnOfChange();
      const keys = ids.slice(from, from + FOUND_AT_A_TIME).map((id) => [id]);
      sets.push(...(await FIND_SET.rows(tx, [zoneId], keys)));
    }
    return sets;
  }

  /** At most `limit` records after `marker`, in order of creation. @throws ServiceError `unavailable` */
  page(search: RecordSearch, marker: string, limit: number): Promise<Page<RecordView>> {
    return this.reads.offPrimary(() => this.pageBehind(search, marker, limit));
  }

  private async pageBehind(
    { zoneId, filter, searchClient }: RecordSearch,
    marker: string,
    limit: number,
  ): Promise<Page<RecordView>> {
    const isIndexed = filter.ownerKey !== null || (filter.type === null && filter.data === null);
    if (isIndexed) return this.reads.run((tx) => select(tx, { zoneId, filter, after: marker, to: END, limit }));
    const ids: string[] = [];
    const portions = walked<{ readonly id: string }>(this.reads, walkTo(zoneId, filter), 'id', [marker]);
    for await (const found of inSearchTurns(portions, searchClient)) {
      ids.push(...found.slice(0, limit - ids.length).map(({ id }) => id));
      if (ids.length === limit) break;
    }
    const { entries, isCut } = await this.shown(zoneId, filter, ids);
    return { entries, isLast: ids.length < limit && !isCut };
  }

  /** Those of the records that still exist, in this order, up to the page limit. */
  async shownPage(zoneId: string, ids: readonly string[]): Promise<Page<RecordView>> {
    const { entries, isCut } = await this.shown(zoneId, NO_FILTER, ids);
    return { entries, isLast: !isCut };
  }

  /** Those of the records that still exist, up to the page limit, but at least one. */
  private async shown(
    zoneId: string,
    filter: RecordFilter,
    ids: readonly string[],
  ): Promise<{ readonly entries: RecordView[]; readonly isCut: boolean }> {
    const entries: RecordView[] = [];
    for (let from = 0; from < ids.length; from += SHOWN_AT_A_TIME) {
      if (from > 0) await nextTurn();
      const keys = ids.slice(from, from + SHOWN_AT_A_TIME).map((id) => [id]);
      entries.push(...(await this.reads.run((tx) => SHOWN.rowsByKey(tx, [zoneId], keys))).flat());
      const isFull = statementOf(filter).fillPage(entries);
      if (isFull && from + SHOWN_AT_A_TIME < ids.length) return { entries, isCut: true };
    }
    return { entries, isCut: false };
  }

  /** All records of a zone in pages: canonical owner order, record sets together. */
  served(tx: Transaction, zoneId: string): AsyncGenerator<readonly ServedRecord[]> {
    return servedRecords(tx, zoneId);
  }

  /** All records of all zones. Each page is a read of its own, so pages see different snapshots. */
  async *all(): AsyncGenerator<ServedRecord & { readonly zoneId: string }> {
    let after = { contentsId: '', id: '' };
    for (;;) {
      const { contentsId, id } = after;
      const page = await this.reads.run((tx) => PAGE_OF_ALL.page(tx, [contentsId, id], PAGE_OF_ALL_SIZE));
      yield* page.entries;
      const last = page.entries[page.entries.length - 1];
      if (last === undefined || page.isLast) return;
      after = last;
      await nextTurn();
    }
  }

  /** At most `limit` records expired at `now`, after another one, oldest expiry first. */
  expired(now: Instant, after: ExpiredRecord | null, limit: number): Promise<ExpiredRecord[]> {
    const { expiresAt, contentsId, id } = after ?? { expiresAt: 0, contentsId: '', id: '' };
    return this.reads.run((tx) => EXPIRED.rows(tx, [now, expiresAt, contentsId, id, limit]));
  }

  async hasExpiring(): Promise<boolean> {
    return (await this.reads.run((tx) => ANY_EXPIRING.first(tx, []))) !== undefined;
  }

  /** All records of a zone that have an expiry time. */
  expiringIn(zoneId: string): Promise<Pick<RecordEntity, 'ownerKey' | 'type' | 'rdata'>[]> {
    return this.reads.run((tx) => EXPIRING_IN_ZONE.rows(tx, [zoneId]));
  }

  servedSet(tx: Transaction, zoneId: string, ownerKey: string, type: string): Promise<ServedRecord[]> {
    return SERVED_SET.rows(tx, [zoneId, ownerKey, type]);
  }

  /** Records that these contents would duplicate. */
  findAlike(tx: Transaction, zoneId: string, contents: readonly RecordContent[]): Promise<RecordEntity[]> {
    const keys = contents.map(({ ownerKey, type, fingerprint }) => [ownerKey, type, fingerprint]);
    return FIND_ALIKE.longRows(tx, [zoneId], keys);
  }

  setsAt(tx: Transaction, zoneId: string, ownerKeys: readonly string[]): Promise<SetKey[]> {
    const keys = ownerKeys.map((key) => [key]);
    return SETS_AT_OWNER.rows(tx, [zoneId], keys);
  }

  ofSets(tx: Transaction, zoneId: string, sets: readonly SetKey[]): Promise<RecordEntity[]> {
    const keys = sets.map(({ ownerKey, type }) => [ownerKey, type]);
    return OF_SET.longRows(tx, [zoneId], keys);
  }

  ofOwners(tx: Transaction, zoneId: string, ownerKeys: readonly string[]): Promise<RecordEntity[]> {
    const keys = ownerKeys.map((key) => [key]);
    return OF_OWNER.longRows(tx, [zoneId], keys);
  }

  /** TTLs in seconds of the records of these sets, without null. */
  ttlsOf(
    tx: Transaction,
    zoneId: string,
    sets: readonly SetKey[],
  ): Promise<(SetKey & { readonly id: string; readonly ttl: number })[]> {
    const keys = sets.map(({ ownerKey, type }) => [ownerKey, type]);
    return TTLS_OF_SET.rows(tx, [zoneId], keys);
  }

  insertAll(tx: Transaction, records: readonly RecordEntity[]): Promise<void> {
    return INSERT.runLong(tx, rowsOf(records));
  }

  updateAll(tx: Transaction, records: readonly RecordEntity[]): Promise<void> {
    return UPDATE.runLong(tx, rowsOf(records));
  }

  deleteEach(tx: Transaction, records: readonly RecordEntity[]): Promise<void> {
    return DELETE.run(tx, records.map(keyOf));
  }

  /** Gives records placeholder content that no other record has, until they get their new content. */
  freeFingerprints(tx: Transaction, records: readonly RecordEntity[]): Promise<void> {
    return FREE_FINGERPRINTS.run(tx, records.map(keyOf));
  }

  /** @param end on the monotonic clock @returns whether more may remain */
  deleteContents(tx: Transaction, contentsId: string, end: number): Promise<boolean> {
    return DELETE_CONTENTS.runUntil(end, tx, [contentsId]);
  }
}

export function noSuchRecord(): ServiceError {
  return new ServiceError('record_not_found', 'There is no such record in this zone; list its records.');
}

function keyOf({ zoneId, id }: RecordEntity): SqlValue[] {
  return [zoneId, id];
}

function* rowsOf(records: readonly RecordEntity[]): Generator<SqlValue[]> {
  for (const record of records) yield rowOf(record);
}

function rowOf(record: RecordEntity): SqlValue[] {
  const { zoneId, id, name, ownerKey, type, data, priority, ttl, description } = record;
  const { rdata, fingerprint, version, createdAt, updatedAt, expiresAt } = record;
  const contents = [name, ownerKey, type, data, priority, ttl, description, rdata, fingerprint];
  return [zoneId, id, ...contents, version, createdAt, updatedAt, expiresAt];
}

interface Selection {
  readonly zoneId: string;
  readonly filter: RecordFilter;
  readonly after: string;
  readonly to: string;
  readonly limit: number;
}

async function select(tx: Transaction, { zoneId, filter, after, to, limit }: Selection): Promise<Page<RecordView>> {
  const values: SqlValue[] = [zoneId, after, to, ...conditionsOf(filter).map(({ value }) => value)];
  const { entries, isLast } = await statementOf(filter).page(tx, values, limit);
  return { entries: entries.map((record) => Object.assign(record, { zoneId })), isLast };
}

/** No index has types or data, so the walk reads all records of the zone. */
function walkTo(zoneId: string, filter: RecordFilter): Walk {
  const conditions = conditionsOf(filter);
  return {
    from: `records${indexedBy(primaryKeyOf('records'))}`,
    where: { sql: IN_ZONE, values: [zoneId] },
    key: [textKey('id')],
    seen: {
      sql: conditions.map(({ column }) => `${column} = ?`).join(' AND '),
      values: conditions.map(({ value }) => value),
    },
  };
}

function conditionsOf({ ownerKey, type, data }: RecordFilter): { readonly column: string; readonly value: string }[] {
  const conditions = [
    { column: 'owner_key', value: ownerKey },
    { column: 'type', value: type },
    { column: 'data', value: data },
  ];
  return conditions.flatMap(({ column, value }) => (value === null ? [] : [{ column, value }]));
}

/** Reading the zone of each row would take a quarter of the time. */
type RecordInZone = Omit<RecordView, 'zoneId'>;

const pageStatements = new Map<string, PageStatement<RecordInZone>>();

function statementOf(filter: RecordFilter): PageStatement<RecordInZone> {
  const conditions = conditionsOf(filter)
    .map(({ column }) => ` AND ${column} = ?`)
    .join('');
  let statement = pageStatements.get(conditions);
  if (statement === undefined) {
    const sql = (hint: string, data = 'data'): string =>
      `SELECT ${columnsInZone(data)} FROM records${hint} WHERE ${IN_ZONE} AND id > ? AND id <= ?${conditions}`;
    const hint = filter.ownerKey === null ? BY_ID : BY_OWNER;
    statement = new PageStatement<RecordInZone>(sql(hint), {
      key: 'id',
      texts: ['name', 'data', 'description'],
      forPostgres: sql(''),
      short: { select: sql(hint, SHORT_DATA), forPostgres: sql('', SHORT_DATA), text: 'data' },
    });
    pageStatements.set(conditions, statement);
  }
  return statement;
}
