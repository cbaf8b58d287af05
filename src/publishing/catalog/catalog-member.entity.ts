import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** A member of the catalog zone. Its label is the id of its zone, which no other zone ever has. */
@Entity('catalog_members', { withoutRowid: true })
@Index('catalog_members_removed', ['removedAt'])
@Index('catalog_members_added', ['addedSerial'])
@Index('catalog_members_went', ['removedSerial'], { where: 'removed_serial IS NOT NULL' })
@Index('catalog_members_kept', ['name'], { where: 'is_kept = 1' })
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

  /** 1: the zone was abandoned, and name servers keep it until a zone of its name is made again. */
  @Column('integer', { name: 'is_kept', default: 0 })
  isKept!: number;
}
