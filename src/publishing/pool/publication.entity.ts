import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** Status of one zone on one name server. It is written separately from zone changes and may lag behind. */
@Entity('publications', { withoutRowid: true })
@Index('publications_failed', ['zoneId', 'server'], {
  where: 'refusing_since IS NOT NULL OR inconsistency IS NOT NULL',
})
export class PublicationEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE, primaryKeyConstraintName: 'publications_key' })
  zoneId!: string;

  /** `192.0.2.53:53` */
  @PrimaryColumn('varchar', { length: 64, ...BYTEWISE, primaryKeyConstraintName: 'publications_key' })
  server!: string;

  @Column('bigint', { nullable: true })
  serial!: number | null;

  /** When the server was first seen with that serial. */
  @Column('bigint', { name: 'changed_at', nullable: true })
  changedAt!: number | null;

  @Column('bigint', { name: 'checked_at', nullable: true })
  checkedAt!: number | null;

  @Column('varchar', { length: 255, nullable: true })
  error!: string | null;

  /** Start of the silence; `null` while the server answers. */
  @Column('bigint', { name: 'failing_since', nullable: true })
  failingSince!: number | null;

  @Column('bigint', { name: 'refusing_since', nullable: true })
  refusingSince!: number | null;

  /** Serial of the last answered NOTIFY of a server that is only notified. It proves nothing. */
  @Column('bigint', { name: 'notified_serial', nullable: true })
  notifiedSerial!: number | null;

  /** Difference between the answers of the server and the zone at the same serial, or `null`. */
  @Column('varchar', { length: 255, nullable: true })
  inconsistency!: string | null;

  @Column('bigint', { name: 'inconsistent_since', nullable: true })
  inconsistentSince!: number | null;
}
