import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/statements/bytewise.js';

/** A task that one process does for all. */
@Entity('leases')
export class LeaseEntity {
  @PrimaryColumn('varchar', { length: 32, ...BYTEWISE })
  name!: string;

  /** As `newOwnerId()` makes it. */
  @Column('varchar', { length: 255, ...BYTEWISE })
  holder!: string;

  /** Grows while the holder lives. */
  @Column('bigint')
  renewals!: number;
}
