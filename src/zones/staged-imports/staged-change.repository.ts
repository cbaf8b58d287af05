import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';

/** A change of a zone whose new contents and journal rows are written ahead. `incoming_zones` has its heartbeat. */
@Entity('staged_changes', { withoutRowid: true })
export class StagedChangeEntity {
  @PrimaryColumn('varchar', { name: 'contents_id', length: 36, ...BYTEWISE })
  contentsId!: string;

  @Column('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  /** Of the zone before the change. */
  @Column('bigint')
  version!: number;

  @Column('bigint', { name: 'changed_at' })
  changedAt!: number;

  @Column('varchar', { name: 'change_id', length: 36, ...BYTEWISE })
  changeId!: string;
}

/** Two changes of a zone would write journal rows with the same numbers. */
const ANNOUNCE = new Statement<unknown>(
  'INSERT INTO staged_changes (contents_id, zone_id, version, changed_at, change_id) SELECT ?, ?, ?, ?, ?' +
    ' WHERE NOT EXISTS (SELECT 1 FROM staged_changes c JOIN incoming_zones i ON i.zone_id = c.contents_id' +
    " WHERE c.zone_id = ? AND i.holder <> '') RETURNING 1",
);
const FIND = new Statement<StagedChangeEntity>(
  'SELECT contents_id AS "contentsId", zone_id AS "zoneId", version, changed_at AS "changedAt", change_id AS "changeId"' +
    ' FROM staged_changes WHERE contents_id = ?',
);
const FORGET = new Statement('DELETE FROM staged_changes WHERE contents_id = ?');

/** SQL for 1 or 0: whether a journal row belongs to a change that is written ahead. */
export const IS_STAGED_STEP = (changeId: string): string =>
  `CASE WHEN ${changeId} IN (SELECT staged.change_id FROM staged_changes staged) THEN 1 ELSE 0 END`;

/** SQL: the zone of these contents is as it was when its change was staged, or the contents are those of a new zone. */
export const isUnchangedSql = (contentsId: string): string =>
  `NOT EXISTS (SELECT 1 FROM staged_changes c WHERE c.contents_id = ${contentsId} AND NOT EXISTS` +
  ' (SELECT 1 FROM zones z WHERE z.id = c.zone_id AND z.version = c.version AND z.changed_at = c.changed_at))';

@Injectable()
export class StagedChangeRepository {
  /** Returns whether no other change of the zone is being written. */
  async announce(tx: Transaction, change: StagedChangeEntity): Promise<boolean> {
    const { contentsId, zoneId, version, changedAt, changeId } = change;
    return (await ANNOUNCE.first(tx, [contentsId, zoneId, version, changedAt, changeId, zoneId])) !== undefined;
  }

  find(tx: Transaction, contentsId: string): Promise<StagedChangeEntity | undefined> {
    return FIND.first(tx, [contentsId]);
  }

  async forget(tx: Transaction, contentsId: string): Promise<void> {
    await FORGET.run(tx, [contentsId]);
  }
}
