import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** The catalog zone (RFC 9432). Its row is the lock that orders the changes of its members. */
@Entity('catalogs')
export class CatalogEntity {
  @PrimaryColumn('varchar', { length: 32, ...BYTEWISE })
  id!: string;

  /** Absolute. */
  @Column('varchar', { length: 255 })
  name!: string;

  /** The `group` property of all members; `null`: they have none. */
  @Column('varchar', { name: 'member_group', length: 255, nullable: true })
  memberGroup!: string | null;

  @Column('bigint')
  serial!: number;

  /** The earliest serial from which differences are known. */
  @Column('bigint', { name: 'history_from' })
  historyFrom!: number;
}
