import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { Statement } from '../../database/statements/statement.js';
import { entityManagerOf, type Transaction } from '../../database/transaction.js';
import { type RolloverStep, ZoneRolloverEntity } from './zone-rollover.entity.js';

const FIND = new Statement<ZoneRolloverEntity>(
  'SELECT zone_id AS "zoneId", id, kind, is_emergency AS "isEmergency", old_key_id AS "oldKeyId", new_key_id AS "newKeyId", step,' +
    ' step_since AS "stepSince", publication_before AS "publicationBefore", proven_until AS "provenUntil",' +
    ' ds_until AS "dsUntil" FROM zone_rollovers WHERE zone_id = ?',
);
const UPDATE = new Statement(
  'UPDATE zone_rollovers SET old_key_id = ?, new_key_id = ?, step = ?, step_since = ?, publication_before = ?,' +
    ' proven_until = ?, ds_until = ? WHERE zone_id = ?',
);
const SUMMARY = new Statement<RolloverSummary>(
  'SELECT step, COUNT(*) AS count, MIN(step_since) AS since FROM zone_rollovers GROUP BY step',
);
const DELETE = new Statement('DELETE FROM zone_rollovers WHERE zone_id = ?');

export interface RolloverSummary {
  readonly step: RolloverStep;
  readonly count: number;
  readonly since: Instant;
}

/** Stores rollovers. Writers lock the `zone_signing` row first. */
@Injectable()
export class ZoneRolloverRepository {
  async find(tx: Transaction, zoneId: string): Promise<ZoneRolloverEntity | null> {
    return (await FIND.first(tx, [zoneId])) ?? null;
  }

  summary(tx: Transaction): Promise<RolloverSummary[]> {
    return SUMMARY.rows(tx, []);
  }

  async insert(tx: Transaction, rollover: ZoneRolloverEntity): Promise<void> {
    await entityManagerOf(tx).insert(ZoneRolloverEntity, rollover);
  }

  update(tx: Transaction, rollover: ZoneRolloverEntity): Promise<void> {
    const { oldKeyId, newKeyId, step, stepSince, publicationBefore, provenUntil, dsUntil, zoneId } = rollover;
    const fields = [oldKeyId, newKeyId, step, stepSince, publicationBefore, provenUntil, dsUntil];
    return UPDATE.run(tx, [...fields, zoneId]);
  }

  delete(tx: Transaction, zoneId: string): Promise<void> {
    return DELETE.run(tx, [zoneId]);
  }
}
