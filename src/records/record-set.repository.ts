import { Injectable } from '@nestjs/common';
import { deleteStepwise, ManyStatement, Statement } from '../database/statement.js';
import type { Transaction } from '../database/transaction.js';

/** One record set of an owner name, counted. */
export interface RecordSetCount {
  readonly type: string;
  readonly recordCount: number;
  /** The sum of the RDATA lengths. */
  readonly octets: number;
}

/** What identifies a record set, and what one of its records adds to it. */
export interface RecordSetShare {
  readonly zoneId: string;
  readonly ownerKey: string;
  readonly type: string;
  readonly records: number;
  readonly octets: number;
}

const AT_OWNER = new Statement<RecordSetCount>(
  'SELECT type, record_count AS "recordCount", octets FROM recordsets WHERE domain_id = ? AND owner_key = ?',
);
const FIND_ABOVE = new ManyStatement<{ ownerKey: string }>(
  (marks) =>
    `SELECT owner_key AS "ownerKey" FROM recordsets WHERE domain_id = ? AND type = ? AND owner_key IN (${marks})`,
);
const FIND_BELOW = new Statement<{ ownerKey: string }>(
  'SELECT owner_key AS "ownerKey" FROM recordsets WHERE domain_id = ? AND owner_key >= ? AND owner_key < ? LIMIT 1',
);
/** Keys sort everything below a name right behind it. */
const EXISTS = new Statement<unknown>(
  'SELECT 1 FROM recordsets WHERE domain_id = ? AND owner_key >= ? AND owner_key < ? LIMIT 1',
);
const GROW = new Statement(
  'INSERT INTO recordsets (domain_id, owner_key, type, record_count, octets) VALUES (?, ?, ?, ?, ?)' +
    ' ON CONFLICT (domain_id, owner_key, type) DO UPDATE SET' +
    ' record_count = recordsets.record_count + excluded.record_count, octets = recordsets.octets + excluded.octets',
);
const DELETE = new Statement('DELETE FROM recordsets WHERE domain_id = ? AND owner_key = ? AND type = ?');
const DELETE_SOME = new Statement<unknown>(
  'DELETE FROM recordsets WHERE domain_id = ? AND (owner_key, type) IN' +
    ' (SELECT owner_key, type FROM recordsets WHERE domain_id = ? LIMIT ?) RETURNING 1',
);

@Injectable()
export class RecordSetRepository {
  /** The record sets at one owner name: a handful, however many records they hold. */
  atOwner(tx: Transaction, zoneId: string, ownerKey: string): Promise<RecordSetCount[]> {
    return AT_OWNER.rows(tx, [zoneId, ownerKey]);
  }

  /** Whether one of the named owners has a set of that type. */
  async hasAtAny(tx: Transaction, zoneId: string, type: string, ownerKeys: readonly string[]): Promise<boolean> {
    if (ownerKeys.length === 0) return false;
    return (await FIND_ABOVE.rows(tx, [zoneId, type], ownerKeys)).length > 0;
  }

  /** Whether anything stands below that owner name; keys sort it right behind the name. */
  async hasBelow(tx: Transaction, zoneId: string, ownerKey: string): Promise<boolean> {
    return (await FIND_BELOW.first(tx, [zoneId, `${ownerKey} `, `${ownerKey}!`])) !== undefined;
  }

  /** The types that one owner name has. */
  async typesAt(tx: Transaction, zoneId: string, ownerKey: string): Promise<string[]> {
    return (await AT_OWNER.rows(tx, [zoneId, ownerKey])).map(({ type }) => type);
  }

  /** Whether there is anything at a name or below it. */
  async exists(tx: Transaction, zoneId: string, ownerKey: string): Promise<boolean> {
    return (await EXISTS.first(tx, [zoneId, ownerKey, `${ownerKey}!`])) !== undefined;
  }

  /** Adds to a record set, making it where there is none; a negative share takes away. */
  async grow(tx: Transaction, { zoneId, ownerKey, type, records, octets }: RecordSetShare): Promise<void> {
    await GROW.run(tx, [zoneId, ownerKey, type, records, octets]);
  }

  async delete(tx: Transaction, { zoneId, ownerKey, type }: RecordSetShare): Promise<void> {
    await DELETE.run(tx, [zoneId, ownerKey, type]);
  }

  async deleteAll(tx: Transaction, zoneId: string): Promise<void> {
    await deleteStepwise(tx, DELETE_SOME, zoneId);
  }
}
