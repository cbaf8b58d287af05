import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/bytewise.js';

/** A member of the catalog zone. Its label is the id of its zone, which no other zone ever has. */
@Entity('catalog_members', { withoutRowid: true })
@Index('catalog_members_removed', ['removedAt'])
export class CatalogMemberEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  @Column('varchar', { length: 255 })
  name!: string;

  /** The catalog's serial with which it came. */
  @Column('bigint', { name: 'added_serial' })
  addedSerial!: number;

  /** The catalog's serial with which it went; `null` while it is there. */
  @Column('bigint', { name: 'removed_serial', nullable: true })
  removedSerial!: number | null;

  @Column('bigint', { name: 'removed_at', nullable: true })
  removedAt!: number | null;
}
