import { Injectable } from '@nestjs/common';
import { Reads } from '../database/reads.js';
import { Statement } from '../database/statements/statement.js';
import type { Transaction } from '../database/transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/statements/bytewise.js';

type Held = Pick<LeaseEntity, 'holder' | 'renewals'>;

const HELD = 'SELECT holder, renewals FROM leases WHERE name = ?';
const FIND = new Statement<Held>(HELD);
const FIND_AND_HOLD = new Statement<Held>(HELD, `${HELD} FOR SHARE`);
const TAKE = new Statement<Pick<LeaseEntity, 'name'>>(
  'INSERT INTO leases (name, holder, renewals) VALUES (?, ?, 1) ON CONFLICT (name) DO UPDATE SET' +
    ' holder = excluded.holder, renewals = leases.renewals + 1 WHERE leases.holder = ? AND leases.renewals = ?' +
    ' RETURNING name',
);
const RELEASE = new Statement('DELETE FROM leases WHERE name = ? AND holder = ?');

@Injectable()
export class LeaseRepository {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async find(name: string): Promise<Held | null> {
    return (await this.reads.run((tx) => FIND.first(tx, [name]))) ?? null;
  }

  /** Fails if the lease was changed after `found` was read. */
  take(name: string, holder: string, found: Held | null): Promise<boolean> {
    const { holder: former, renewals } = found ?? { holder: '', renewals: 0 };
    return this.unitOfWork.run(async (tx) => (await TAKE.first(tx, [name, holder, former, renewals])) !== undefined);
  }

  /** Locks the lease until the transaction ends. */
  async isHeldBy(tx: Transaction, name: string, holder: string): Promise<boolean> {
    return (await FIND_AND_HOLD.first(tx, [name]))?.holder === holder;
  }

  release(name: string, holder: string): Promise<void> {
    return this.unitOfWork.run((tx) => RELEASE.run(tx, [name, holder]));
  }
}

@Entity('leases')
export class LeaseEntity {
  @PrimaryColumn('varchar', { length: 32, ...BYTEWISE })
  name!: string;

  @Column('varchar', { length: 255, ...BYTEWISE })
  holder!: string;

  /** Grows while the holder is alive. */
  @Column('bigint')
  renewals!: number;
}
