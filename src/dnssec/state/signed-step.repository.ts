import { Injectable } from '@nestjs/common';
import { Statement } from '../../database/statements/statement.js';
import { entityManagerOf, type Transaction } from '../../database/transaction.js';
import { SignedStepEntity } from './signed-step.entity.js';

/** What is kept of one zone, in octets: who asks for what lies further back is sent the zone. */
const MOST_OCTETS = 32 * 2 ** 20;
/** Steps of one zone: whoever asks for a difference has them looked through. */
const MOST_STEPS = 2000;
/** The bounds are looked at after so many steps. */
const BOUNDED_EVERY = 64;

type StepOutline = Pick<SignedStepEntity, 'number' | 'serialBefore' | 'octets'>;

const OUTLINE = new Statement<StepOutline>(
  'SELECT number, serial_before AS "serialBefore", octets FROM signed_steps WHERE zone_id = ? ORDER BY number DESC',
);
const FROM = new Statement<Pick<SignedStepEntity, 'removed' | 'added'>>(
  'SELECT removed, added FROM signed_steps WHERE zone_id = ? AND number >= ? ORDER BY number',
);
const FORGET = new Statement('DELETE FROM signed_steps WHERE zone_id = ? AND number < ?');

/** What publications of signed zones have changed. */
@Injectable()
export class SignedStepRepository {
  async insert(tx: Transaction, step: SignedStepEntity): Promise<void> {
    await entityManagerOf(tx).insert(SignedStepEntity, step);
  }

  /** From now on there are no differences from what was before that step. */
  forgetBefore(tx: Transaction, zoneId: string, number: number): Promise<void> {
    return FORGET.run(tx, [zoneId, number]);
  }

  /** Forgets what is beyond the bounds, now and then: each time, a change would cost as much as there are steps. */
  async bound(tx: Transaction, zoneId: string, latest: number): Promise<void> {
    if (latest % BOUNDED_EVERY !== 0) return;
    let sum = 0;
    for (const { number, octets } of await OUTLINE.rows(tx, [zoneId])) {
      sum += octets;
      if (sum > MOST_OCTETS || number <= latest - MOST_STEPS) return FORGET.run(tx, [zoneId, number + 1]);
    }
  }

  /** All steps that lead from a serial to the present one; `null` where they are not kept. */
  async since(
    tx: Transaction,
    zoneId: string,
    serial: number,
  ): Promise<readonly Pick<SignedStepEntity, 'removed' | 'added'>[] | null> {
    const outline = await OUTLINE.rowsUntil(tx, [zoneId], ({ serialBefore }) => serialBefore === serial);
    const first = outline.find(({ serialBefore }) => serialBefore === serial);
    return first === undefined ? null : FROM.rows(tx, [zoneId, first.number]);
  }
}
