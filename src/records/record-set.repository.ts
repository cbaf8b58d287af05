import { Injectable } from '@nestjs/common';
import { deleteStepwise, ManyStatement, Statement } from '../database/statement.js';
import type { Transaction } from '../database/transaction.js';
import { keysBelow, keysWithin } from '../dns/name-key.js';
import type { RecordSetEntity } from './record-set.entity.js';

const COLUMNS =
  'zone_id AS "zoneId", owner_key AS "ownerKey", type, id, name, ttl, description, version,' +
  ' created_at AS "createdAt", updated_at AS "updatedAt", record_count AS "recordCount", octets';

const AT_OWNER = new Statement<RecordSetEntity>(
  `SELECT ${COLUMNS} FROM record_sets WHERE zone_id = ? AND owner_key = ?`,
);
const FIND_ABOVE = new ManyStatement<{ ownerKey: string }>(
  (marks) =>
    `SELECT owner_key AS "ownerKey" FROM record_sets WHERE zone_id = ? AND type = ? AND owner_key IN (${marks})`,
);
const FIND_BELOW = new Statement<{ ownerKey: string }>(
  'SELECT owner_key AS "ownerKey" FROM record_sets WHERE zone_id = ? AND owner_key >= ? AND owner_key < ? LIMIT 1',
);
const EXISTS = new Statement<unknown>(
  'SELECT 1 FROM record_sets WHERE zone_id = ? AND owner_key >= ? AND owner_key < ? LIMIT 1',
);
/** NS and DS at a zone cut stand on the parent's side of it (RFC 1034 §4.2.1, RFC 4035 §2.4). */
const FIND_BEYOND_CUT = new Statement<unknown>(
  'SELECT 1 FROM record_sets WHERE zone_id = ? AND owner_key >= ? AND owner_key < ?' +
    " AND (owner_key <> ? OR type NOT IN ('NS', 'DS')) LIMIT 1",
);
const INSERT = new Statement(
  'INSERT INTO record_sets (zone_id, owner_key, type, id, name, ttl, description, version, created_at, updated_at,' +
    ' record_count, octets) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
);
const UPDATE = new Statement(
  'UPDATE record_sets SET ttl = ?, version = ?, updated_at = ?, record_count = ?, octets = ?' +
    ' WHERE zone_id = ? AND owner_key = ? AND type = ?',
);
const DELETE = new Statement('DELETE FROM record_sets WHERE zone_id = ? AND owner_key = ? AND type = ?');
const DELETE_SOME = new Statement<unknown>(
  'DELETE FROM record_sets WHERE zone_id = ? AND (owner_key, type) IN' +
    ' (SELECT owner_key, type FROM record_sets WHERE zone_id = ? LIMIT ?) RETURNING 1',
);

@Injectable()
export class RecordSetRepository {
  /** The record sets at one owner name: a handful, however many records they hold. */
  atOwner(tx: Transaction, zoneId: string, ownerKey: string): Promise<RecordSetEntity[]> {
    return AT_OWNER.rows(tx, [zoneId, ownerKey]);
  }

  /** Whether one of the named owners has a set of that type. */
  async hasAtAny(tx: Transaction, zoneId: string, type: string, ownerKeys: readonly string[]): Promise<boolean> {
    if (ownerKeys.length === 0) return false;
    return (await FIND_ABOVE.rows(tx, [zoneId, type], ownerKeys)).length > 0;
  }

  /** Whether anything stands below that owner name. */
  async hasBelow(tx: Transaction, zoneId: string, ownerKey: string): Promise<boolean> {
    return (await FIND_BELOW.first(tx, [zoneId, ...keysBelow(ownerKey)])) !== undefined;
  }

  /** Whether anything stands at or below a name that a zone cut there would leave to the zone below. */
  async hasBeyondCut(tx: Transaction, zoneId: string, ownerKey: string): Promise<boolean> {
    return (await FIND_BEYOND_CUT.first(tx, [zoneId, ownerKey, `${ownerKey}!`, ownerKey])) !== undefined;
  }

  /** The types that one owner name has. */
  async typesAt(tx: Transaction, zoneId: string, ownerKey: string): Promise<string[]> {
    return (await this.atOwner(tx, zoneId, ownerKey)).map(({ type }) => type);
  }

  /** Whether there is anything at a name or below it. */
  async exists(tx: Transaction, zoneId: string, ownerKey: string): Promise<boolean> {
    return (await EXISTS.first(tx, [zoneId, ...keysWithin(ownerKey)])) !== undefined;
  }

  async insert(tx: Transaction, set: RecordSetEntity): Promise<void> {
    const { zoneId, ownerKey, type, id, name, ttl, description } = set;
    const { version, createdAt, updatedAt, recordCount, octets } = set;
    const kept = [ttl, description, version, createdAt, updatedAt, recordCount, octets];
    await INSERT.run(tx, [zoneId, ownerKey, type, id, name, ...kept]);
  }

  async update(tx: Transaction, set: RecordSetEntity): Promise<void> {
    const { zoneId, ownerKey, type, ttl, version, updatedAt, recordCount, octets } = set;
    await UPDATE.run(tx, [ttl, version, updatedAt, recordCount, octets, zoneId, ownerKey, type]);
  }

  async delete(tx: Transaction, { zoneId, ownerKey, type }: RecordSetEntity): Promise<void> {
    await DELETE.run(tx, [zoneId, ownerKey, type]);
  }

  async deleteAll(tx: Transaction, zoneId: string): Promise<void> {
    await deleteStepwise(tx, DELETE_SOME, zoneId);
  }
}
