import { Injectable } from '@nestjs/common';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import { isUnchangedSql } from './staged-change.repository.js';

/** Records that are written before their zone, or before the change that gives them to it. Queries across zones must skip them. */
@Entity('incoming_zones', { withoutRowid: true })
export class StagedImportEntity {
  /** The new zone, or the new contents of a zone (`staged_changes`). */
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  /** The process that writes; empty: given up, to be removed. */
  @Column('varchar', { length: 255 })
  holder!: string;

  /** Heartbeat of the holder: grows with each portion. */
  @Column('integer')
  renewals!: number;
}

const ANNOUNCE = new Statement('INSERT INTO incoming_zones (zone_id, holder, renewals) VALUES (?, ?, 0)');
const RENEW = new Statement<unknown>(
  'UPDATE incoming_zones SET renewals = renewals + 1 WHERE zone_id = ? AND holder = ?' +
    ` AND ${isUnchangedSql('incoming_zones.zone_id')} RETURNING 1`,
);
const ARRIVE = new Statement<unknown>('DELETE FROM incoming_zones WHERE zone_id = ? AND holder = ? RETURNING 1');
const ALL = new Statement<StagedImportEntity>(
  'SELECT zone_id AS "zoneId", holder, renewals FROM incoming_zones ORDER BY zone_id',
);
/** Only rows that are marked before are removed, so a created zone is safe. */
const GIVE_UP = new Statement<unknown>("UPDATE incoming_zones SET holder = '' WHERE zone_id = ? RETURNING 1");
const FORGET = new Statement("DELETE FROM incoming_zones WHERE zone_id = ? AND holder = ''");

export const isStaged = (zoneId: string): string =>
  `EXISTS (SELECT 1 FROM incoming_zones i WHERE i.zone_id = ${zoneId})`;

@Injectable()
export class StagedImportRepository {
  async announce(tx: Transaction, zoneId: string, holder: string): Promise<void> {
    await ANNOUNCE.run(tx, [zoneId, holder]);
  }

  /** Returns whether the holder may still write. */
  async renew(tx: Transaction, zoneId: string, holder: string): Promise<boolean> {
    return (await RENEW.first(tx, [zoneId, holder])) !== undefined;
  }

  /** Ends the import in the transaction that shows its rows. Returns whether the holder may still write. */
  async arrive(tx: Transaction, zoneId: string, holder: string): Promise<boolean> {
    return (await ARRIVE.first(tx, [zoneId, holder])) !== undefined;
  }

  all(tx: Transaction): Promise<StagedImportEntity[]> {
    return ALL.rows(tx, []);
  }

  /** Revokes the holder, and locks the row. Returns whether the import exists. */
  async giveUp(tx: Transaction, zoneId: string): Promise<boolean> {
    return (await GIVE_UP.first(tx, [zoneId])) !== undefined;
  }

  async forget(tx: Transaction, zoneId: string): Promise<void> {
    await FORGET.run(tx, [zoneId]);
  }
}
