import { Injectable } from '@nestjs/common';
import { Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/statements/bytewise.js';
import { Statement } from '../database/statements/statement.js';
import type { Transaction } from '../database/transaction.js';

/** Contents of a deleted zone, or former ones of a zone, that are removed afterwards. Queries across zones must skip them. */
@Entity('left_contents', { withoutRowid: true })
export class LeftContentsEntity {
  /** The id of the contents (`moved_contents`). */
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;
}

const LEAVE = new Statement('INSERT INTO left_contents (zone_id) VALUES (?)');
const NEXT_SQL = 'SELECT zone_id AS "zoneId" FROM left_contents ORDER BY zone_id LIMIT 1';
/** Another process that removes the same rows would find none, and take that for the end. */
const NEXT = new Statement<LeftContentsEntity>(NEXT_SQL, `${NEXT_SQL} FOR UPDATE SKIP LOCKED`);
const ANY = new Statement<unknown>(NEXT_SQL);
const FORGET = new Statement('DELETE FROM left_contents WHERE zone_id = ?');

export const isLeft = (zoneId: string): string => `EXISTS (SELECT 1 FROM left_contents l WHERE l.zone_id = ${zoneId})`;

@Injectable()
export class LeftContentsRepository {
  async leave(tx: Transaction, zoneId: string): Promise<void> {
    await LEAVE.run(tx, [zoneId]);
  }

  async isEmpty(tx: Transaction): Promise<boolean> {
    return (await ANY.first(tx, [])) === undefined;
  }

  /** Locks the row of the zone. */
  async lockNext(tx: Transaction): Promise<string | undefined> {
    return (await NEXT.first(tx, []))?.zoneId;
  }

  async forget(tx: Transaction, zoneId: string): Promise<void> {
    await FORGET.run(tx, [zoneId]);
  }
}
