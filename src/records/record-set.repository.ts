import { Injectable } from '@nestjs/common';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import { IN_ZONE, zoneOf } from '../database/statements/contents-id.js';
import { bulkDelete, bulkInsert, bulkUpdate, type Columns } from '../database/statements/bulk-write.js';
import { amongKeys, hasLookedUpKey, Lookup } from '../database/statements/lookup.js';
import type { SqlValue, Transaction } from '../database/transaction.js';
import { PortionedDelete } from '../database/statements/portioned-delete.js';
import { Statement } from '../database/statements/statement.js';
import { primaryKeyOf } from '../database/statements/walk.js';
import { keysBelow, keysWithin } from '../dns/name-key.js';
import { ALIAS } from '../dns/rdata/alias.js';
import type { RecordSetEntity, SetKey } from './record-set.entity.js';

const COLUMNS =
  `${zoneOf('zone_id')} AS "zoneId", owner_key AS "ownerKey", type, id, name, ttl, description, version,` +
  ' created_at AS "createdAt", updated_at AS "updatedAt", record_count AS "recordCount", octets, serial, annotations, labels';

const OF_ZONE_SQL = `SELECT ${COLUMNS} FROM record_sets WHERE ${IN_ZONE}`;
const AT_OWNER_SQL = `${OF_ZONE_SQL} AND owner_key = ?`;
/** In PostgreSQL, only the index by owner has this order. */
const AT_OWNER_IN_ORDER = `${AT_OWNER_SQL} ORDER BY type`;
const AT_OWNER = new Statement<RecordSetEntity>(AT_OWNER_SQL, AT_OWNER_IN_ORDER);
const AT_OWNERS = new Lookup<RecordSetEntity>(
  AT_OWNER_SQL,
  ['text'],
  AT_OWNER_IN_ORDER,
  `${OF_ZONE_SQL} AND ${amongKeys('owner_key')}`,
);
const SERVED_SQL = 'SELECT owner_key AS "ownerKey", type FROM record_sets WHERE record_count > 0';
const FIND_KEY = new Lookup<SetKey>(
  `${SERVED_SQL} AND ${IN_ZONE} AND owner_key = ? AND type = ?`,
  ['text', 'text'],
  `${SERVED_SQL} AND ${hasLookedUpKey('zone_id', 'owner_key', 'type')}`,
);
const FIND_BELOW = new Lookup<SetKey>(
  'SELECT owner_key AS "ownerKey", type FROM record_sets' +
    ` WHERE ${IN_ZONE} AND owner_key >= ? AND owner_key < ? AND record_count > 0 LIMIT ?`,
  ['text', 'text', 'integer'],
);
const EXISTS_SQL = `SELECT 1 FROM record_sets WHERE ${IN_ZONE} AND owner_key >= ? AND owner_key < ?`;
const EXISTS = new Statement<unknown>(`${EXISTS_SQL} LIMIT 1`);
/** No name server gets an ALIAS. */
const SERVED_TYPE = "record_count > 0 AND type <> 'ALIAS'";
const IS_SERVED = new Statement<unknown>(`${EXISTS_SQL} AND ${SERVED_TYPE} LIMIT 1`);
const NAMES_BELOW = new Statement<Pick<SetKey, 'ownerKey'>>(
  'SELECT DISTINCT owner_key AS "ownerKey" FROM record_sets' +
    ` WHERE ${IN_ZONE} AND owner_key >= ? AND owner_key < ? AND ${SERVED_TYPE} ORDER BY owner_key LIMIT ?`,
);
const TTLS_PAGE = new Statement<SetKey & { readonly ttl: number | null }>(
  'SELECT owner_key AS "ownerKey", type, CASE WHEN record_count > 0 THEN ttl END AS ttl FROM record_sets' +
    ` WHERE ${IN_ZONE} AND (owner_key, type) > (?, ?) ORDER BY owner_key, type LIMIT ?`,
);
const PAGE_SIZE = 1000;
/** NS and DS at a zone cut belong to the parent side (RFC 1034 §4.2.1, RFC 4035 §2.4). */
const FIND_BEYOND_CUT = new Statement<unknown>(
  `SELECT 1 FROM record_sets WHERE ${IN_ZONE} AND owner_key >= ? AND owner_key < ?` +
    " AND (owner_key <> ? OR type NOT IN ('NS', 'DS')) LIMIT 1",
);
const KEY: Columns = { zone_id: 'contents', owner_key: 'text', type: 'text' };
const OTHERS: Columns = {
  id: 'text',
  name: 'text',
  ttl: 'integer',
  description: 'text',
  version: 'bigint',
  created_at: 'bigint',
  updated_at: 'bigint',
  record_count: 'integer',
  octets: 'integer',
  serial: 'bigint',
  annotations: 'text',
  labels: 'text',
};
const INSERT = bulkInsert('record_sets', { ...KEY, ...OTHERS });
const UPDATE = bulkUpdate('record_sets', KEY, OTHERS);
const DELETE = bulkDelete('record_sets', KEY);
const DELETE_CONTENTS = new PortionedDelete({
  table: 'record_sets',
  key: ['zone_id', 'owner_key', 'type'],
  where: 'zone_id = ?',
  // In the order of the table: half of the pages are written.
  index: primaryKeyOf('record_sets'),
});

@Injectable()
export class RecordSetRepository {
  atOwner(tx: Transaction, zoneId: string, ownerKey: string): Promise<RecordSetEntity[]> {
    return AT_OWNER.rows(tx, [zoneId, ownerKey]);
  }

  async namesBelow(tx: Transaction, zoneId: string, key: string, most: number): Promise<string[]> {
    return (await NAMES_BELOW.rows(tx, [zoneId, ...keysBelow(key), most])).map(({ ownerKey }) => ownerKey);
  }

  /** Longest ttl of any set in seconds; 0 if no set has one. Reads all sets, in pages. */
  async longestTtl(tx: Transaction, zoneId: string): Promise<number> {
    let longest = 0;
    for (let after: SetKey = { ownerKey: '', type: '' }; ;) {
      const page = await TTLS_PAGE.rows(tx, [zoneId, after.ownerKey, after.type, PAGE_SIZE]);
      for (const { ttl } of page) longest = Math.max(longest, ttl ?? 0);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_SIZE) return longest;
      after = last;
      await nextTurn();
    }
  }

  atOwners(tx: Transaction, zoneId: string, ownerKeys: readonly string[]): Promise<RecordSetEntity[]> {
    const keys = ownerKeys.map((key) => [key]);
    return AT_OWNERS.rows(tx, [zoneId], keys);
  }

  existing(tx: Transaction, zoneId: string, sets: readonly SetKey[]): Promise<SetKey[]> {
    const keys = sets.map(({ ownerKey, type }) => [ownerKey, type]);
    return FIND_KEY.rows(tx, [zoneId], keys);
  }

  /** For each owner name, up to `limit` sets with records below it. */
  below(tx: Transaction, zoneId: string, ownerKeys: readonly string[], limit: number): Promise<SetKey[][]> {
    const keys = ownerKeys.map((key) => [...keysBelow(key), limit]);
    return FIND_BELOW.rowsByKey(tx, [zoneId], keys);
  }

  /** Whether records at or below a name would belong to a new child zone there. */
  async hasBeyondCut(tx: Transaction, zoneId: string, ownerKey: string): Promise<boolean> {
    return (await FIND_BEYOND_CUT.first(tx, [zoneId, ownerKey, `${ownerKey}!`, ownerKey])) !== undefined;
  }

  async typesAt(tx: Transaction, zoneId: string, ownerKey: string): Promise<string[]> {
    const sets = await this.atOwner(tx, zoneId, ownerKey);
    return sets.filter(({ recordCount }) => recordCount > 0).map(({ type }) => type);
  }

  /** Whether records exist at or below a name. */
  async isServed(tx: Transaction, zoneId: string, ownerKey: string): Promise<boolean> {
    return (await IS_SERVED.first(tx, [zoneId, ...keysWithin(ownerKey)])) !== undefined;
  }

  /** Whether sets exist at or below a name, with or without records. */
  async exists(tx: Transaction, zoneId: string, ownerKey: string): Promise<boolean> {
    return (await EXISTS.first(tx, [zoneId, ...keysWithin(ownerKey)])) !== undefined;
  }

  insertAll(tx: Transaction, sets: readonly RecordSetEntity[]): Promise<void> {
    return INSERT.run(tx, sets.map(rowOf));
  }

  updateAll(tx: Transaction, sets: readonly RecordSetEntity[]): Promise<void> {
    return UPDATE.run(tx, sets.map(rowOf));
  }

  deleteEach(tx: Transaction, sets: readonly RecordSetEntity[]): Promise<void> {
    const rows = sets.map(({ zoneId, ownerKey, type }) => [zoneId, ownerKey, type]);
    return DELETE.run(tx, rows);
  }

  /** @param end on the monotonic clock @returns whether more may remain */
  deleteContents(tx: Transaction, contentsId: string, end: number): Promise<boolean> {
    return DELETE_CONTENTS.runUntil(end, tx, [contentsId]);
  }
}

/** Whether name servers get the set. */
export function isServedSet({ recordCount, type }: Pick<RecordSetEntity, 'recordCount' | 'type'>): boolean {
  return recordCount > 0 && type !== ALIAS.name;
}

function rowOf(set: RecordSetEntity): SqlValue[] {
  const { zoneId, ownerKey, type, id, name, ttl, description } = set;
  const { version, createdAt, updatedAt, recordCount, octets, serial, annotations, labels } = set;
  const state = [version, createdAt, updatedAt, recordCount, octets, serial, annotations, labels];
  return [zoneId, ownerKey, type, id, name, ttl, description, ...state];
}
