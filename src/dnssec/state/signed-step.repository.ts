import { Injectable } from '@nestjs/common';
import { Statement } from '../../database/statements/statement.js';
import { entityManagerOf, type Transaction } from '../../database/transaction.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** TypeORM writes into the options of a column, so spread them. */
const KEY = { primaryKeyConstraintName: 'signed_steps_key' } as const;

/** The changes of one publication, octet for octet, because IXFR must repeat them. */
@Entity('signed_steps', { withoutRowid: true })
export class SignedStepEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE, ...KEY })
  zoneId!: string;

  @PrimaryColumn('bigint', { ...KEY })
  number!: number;

  @Column('bigint', { name: 'serial_before' })
  serialBefore!: number;

  @Column('bigint')
  serial!: number;

  @Column('integer')
  octets!: number;

  /** Records in wire form, in base64; the SOA first. */
  @Column('text')
  removed!: string;

  @Column('text')
  added!: string;
}

type StepRecords = Pick<SignedStepEntity, 'removed' | 'added'>;

/** Octets kept for a zone. Older serials get a full transfer. */
const MAX_OCTETS = 32 * 2 ** 20;
/** Steps kept for a zone: each IXFR scans them. */
const MAX_STEPS = 2000;
const CHECK_EVERY = 64;

const OUTLINE = new Statement<Pick<SignedStepEntity, 'number' | 'serialBefore' | 'octets'>>(
  'SELECT number, serial_before AS "serialBefore", octets FROM signed_steps WHERE zone_id = ? ORDER BY number DESC',
);
const FROM = new Statement<StepRecords>(
  'SELECT removed, added FROM signed_steps WHERE zone_id = ? AND number >= ? ORDER BY number',
);
const FORGET = new Statement('DELETE FROM signed_steps WHERE zone_id = ? AND number < ?');

@Injectable()
export class SignedStepRepository {
  async insert(tx: Transaction, step: SignedStepEntity): Promise<void> {
    await entityManagerOf(tx).insert(SignedStepEntity, step);
  }

  forgetBefore(tx: Transaction, zoneId: string, number: number): Promise<void> {
    return FORGET.run(tx, [zoneId, number]);
  }

  /** Deletes steps beyond the limits, at intervals: the check reads all steps. */
  async bound(tx: Transaction, zoneId: string, latest: number): Promise<void> {
    if (latest % CHECK_EVERY !== 0) return;
    let sum = 0;
    for (const { number, octets } of await OUTLINE.rows(tx, [zoneId])) {
      sum += octets;
      if (sum > MAX_OCTETS || number <= latest - MAX_STEPS) return FORGET.run(tx, [zoneId, number + 1]);
    }
  }

  /** All steps since a serial; `null` if they were deleted. */
  async since(tx: Transaction, zoneId: string, serial: number): Promise<StepRecords[] | null> {
    const outline = await OUTLINE.rowsUntil(tx, [zoneId], ({ serialBefore }) => serialBefore === serial);
    const first = outline.find(({ serialBefore }) => serialBefore === serial);
    return first === undefined ? null : FROM.rows(tx, [zoneId, first.number]);
  }
}
