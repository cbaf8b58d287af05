import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** When the masters of a secondary zone are asked next, and what became of it last. It goes with the zone. */
@Entity('transfers_in', { withoutRowid: true })
@Index('transfers_in_due', ['dueAt'])
export class InboundTransferEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  /** From then on a master is to be asked for its serial. */
  @Column('bigint', { name: 'due_at' })
  dueAt!: number;

  /** When a master has last been seen to have no later serial than the zone. */
  @Column('bigint', { name: 'checked_at', nullable: true })
  checkedAt!: number | null;

  /** From then on the zone is no longer served, unless a master is heard of before (RFC 1035 §3.3.13). */
  @Column('bigint', { name: 'expires_at', nullable: true })
  expiresAt!: number | null;

  /** Since when no master has given the zone; `null` where that has not failed. */
  @Column('bigint', { name: 'failing_since', nullable: true })
  failingSince!: number | null;

  /** Since when the last master that has answered refuses it; `null` where none does. */
  @Column('bigint', { name: 'refused_since', nullable: true })
  refusedSince!: number | null;

  /** Why that failed last. */
  @Column('varchar', { length: 255, nullable: true })
  error!: string | null;
}
