import { Column, Entity, PrimaryColumn, Index } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** The catalog zone (RFC 9432). Its row lock serializes changes of members. */
@Entity('catalogs')
export class CatalogEntity {
  @PrimaryColumn('varchar', { length: 32, ...BYTEWISE })
  id!: string;

  /** Absolute. */
  @Column('varchar', { length: 255 })
  name!: string;

  @Column('varchar', { name: 'member_group', length: 255, nullable: true })
  memberGroup!: string | null;

  @Column('bigint')
  serial!: number;

  /** Earliest serial with a known difference. */
  @Column('bigint', { name: 'history_from' })
  historyFrom!: number;
}

/** A member of the catalog zone. Its label is the zone ID, which is never reused. */
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

  @Column('bigint', { name: 'added_serial' })
  addedSerial!: number;

  @Column('bigint', { name: 'removed_serial', nullable: true })
  removedSerial!: number | null;

  @Column('bigint', { name: 'removed_at', nullable: true })
  removedAt!: number | null;

  /** 1: the zone was abandoned. Name servers keep it until a zone with its name is created again. */
  @Column('integer', { name: 'is_kept', default: 0 })
  isKept!: number;
}

/** ID of the catalog zone, in place of a zone ID. */
export const CATALOG_ID = 'catalog';

export interface CatalogMember {
  readonly zoneId: string;
  readonly name: string;
}
