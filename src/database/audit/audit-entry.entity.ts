import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../statements/bytewise.js';

/**
 * Something that somebody did and that the journal does not tell, or no longer. The key is the order of the audit, in which
 * the rows of the journal have the same one: when, of what, and its number there.
 */
@Entity('audit_entries', { withoutRowid: true })
export class AuditEntryEntity {
  @PrimaryColumn('bigint')
  at!: number;

  /** A UUID of its own; that of the zone where the journal has told it. */
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  /** The number in the journal for what was copied from it, otherwise 0. */
  @PrimaryColumn('bigint')
  number!: number;

  /** `token.create` */
  @Column('varchar', { length: 32, ...BYTEWISE })
  action!: string;

  /** The tenant that it was done to; `null` for what is nobody's. */
  @Column('varchar', { name: 'owner_id', length: 255, nullable: true, ...BYTEWISE })
  ownerId!: string | null;

  /** The tenant that asked, and so on, as in the journal. */
  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  @Column('varchar', { name: 'token_id', length: 36, nullable: true, ...BYTEWISE })
  tokenId!: string | null;

  @Column('varchar', { name: 'user_name', length: 255, nullable: true, ...BYTEWISE })
  userName!: string | null;

  @Column('varchar', { length: 64, nullable: true, ...BYTEWISE })
  address!: string | null;

  @Column('varchar', { name: 'request_id', length: 64 })
  requestId!: string;

  @Column('varchar', { name: 'zone_id', length: 36, nullable: true, ...BYTEWISE })
  zoneId!: string | null;

  @Column('varchar', { name: 'zone_name', length: 255, nullable: true })
  zoneName!: string | null;

  /** Of the change of the zone that the journal has told. */
  @Column('varchar', { name: 'change_id', length: 36, nullable: true })
  changeId!: string | null;

  @Column('bigint', { nullable: true })
  serial!: number | null;

  /** Of the token, share, pool and so on. */
  @Column('varchar', { name: 'subject_id', length: 255, nullable: true })
  subjectId!: string | null;

  @Column('varchar', { name: 'subject_name', length: 255, nullable: true })
  subjectName!: string | null;

  /** What was said of it, JSON, without anything that is secret. */
  @Column('text', { nullable: true })
  details!: string | null;
}
