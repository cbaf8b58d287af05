import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** How one name server stands to one zone. It is written apart from changes of the zone, and may be behind the truth. */
@Entity('publications', { withoutRowid: true })
export class PublicationEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE, primaryKeyConstraintName: 'publications_key' })
  zoneId!: string;

  /** `192.0.2.53:53` */
  @PrimaryColumn('varchar', { length: 64, ...BYTEWISE, primaryKeyConstraintName: 'publications_key' })
  server!: string;

  /** The serial that it has answered last. */
  @Column('bigint', { nullable: true })
  serial!: number | null;

  /** When it was first seen to have that serial. */
  @Column('bigint', { name: 'changed_at', nullable: true })
  changedAt!: number | null;

  /** When it has answered last. */
  @Column('bigint', { name: 'checked_at', nullable: true })
  checkedAt!: number | null;

  /** What was wrong with its last answer, or that there was none. */
  @Column('varchar', { length: 255, nullable: true })
  error!: string | null;

  /** Since when it gives no answer; `null` while it does. */
  @Column('bigint', { name: 'failing_since', nullable: true })
  failingSince!: number | null;

  /** Since when it answers that it will not have the zone, or does not serve it; `null` where it has not. */
  @Column('bigint', { name: 'refusing_since', nullable: true })
  refusingSince!: number | null;

  /** The serial of the last NOTIFY that it has answered, where it is not asked for its own. It proves nothing. */
  @Column('bigint', { name: 'notified_serial', nullable: true })
  notifiedSerial!: number | null;

  /** How its answers differ from the zone, although it has its serial; `null` where they do not. */
  @Column('varchar', { length: 255, nullable: true })
  inconsistency!: string | null;

  /** Since when they differ. */
  @Column('bigint', { name: 'inconsistent_since', nullable: true })
  inconsistentSince!: number | null;
}
