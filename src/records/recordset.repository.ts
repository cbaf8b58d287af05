import { Injectable } from '@nestjs/common';
import { deleteStepwise, ManyStatement, Statement } from '../database/statement.js';
import type { Transaction } from '../database/unit-of-work.js';

/** One record set of an owner name, counted. */
export interface RecordsetCount {
  readonly type: string;
  readonly recordCount: number;
  /** The sum of the RDATA lengths. */
  readonly octets: number;
}

/** What identifies a record set, and what one of its records adds to it. */
export interface RecordsetShare {
  readonly domainId: string;
  readonly ownerKey: string;
  readonly type: string;
  readonly records: number;
  readonly octets: number;
}

const AT_OWNER = new Statement<RecordsetCount>(
  'SELECT type, record_count AS "recordCount", octets FROM recordsets WHERE domain_id = ? AND owner_key = ?',
);
const FIND_ABOVE = new ManyStatement<{ ownerKey: string }>(
  (marks) =>
    `SELECT owner_key AS "ownerKey" FROM recordsets WHERE domain_id = ? AND type = ? AND owner_key IN (${marks})`,
);
const FIND_BELOW = new Statement<{ ownerKey: string }>(
  'SELECT owner_key AS "ownerKey" FROM recordsets WHERE domain_id = ? AND owner_key >= ? AND owner_key < ? LIMIT 1',
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
export class RecordsetRepository {
  /** The record sets at one owner name: a handful, however many records they hold. */
  atOwner(tx: Transaction, domainId: string, ownerKey: string): Promise<RecordsetCount[]> {
    return AT_OWNER.rows(tx, [domainId, ownerKey]);
  }

  /** Whether one of the named owners has a set of that type. */
  async hasAtAny(tx: Transaction, domainId: string, type: string, ownerKeys: readonly string[]): Promise<boolean> {
    if (ownerKeys.length === 0) return false;
    return (await FIND_ABOVE.rows(tx, [domainId, type], ownerKeys)).length > 0;
  }

  /** Whether anything stands below that owner name; keys sort it right behind the name. */
  async hasBelow(tx: Transaction, domainId: string, ownerKey: string): Promise<boolean> {
    return (await FIND_BELOW.first(tx, [domainId, `${ownerKey} `, `${ownerKey}!`])) !== undefined;
  }

  /** Adds to a record set, making it where there is none; a negative share takes away. */
  async grow(tx: Transaction, { domainId, ownerKey, type, records, octets }: RecordsetShare): Promise<void> {
    await GROW.run(tx, [domainId, ownerKey, type, records, octets]);
  }

  async delete(tx: Transaction, { domainId, ownerKey, type }: RecordsetShare): Promise<void> {
    await DELETE.run(tx, [domainId, ownerKey, type]);
  }

  async deleteAll(tx: Transaction, domainId: string): Promise<void> {
    await deleteStepwise(tx, DELETE_SOME, domainId);
  }
}
