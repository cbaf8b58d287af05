import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../statements/bytewise.js';

/** An act that the journal does not record. The key sorts audit entries and journal rows together. */
@Entity('audit_entries', { withoutRowid: true })
export class AuditEntryEntity {
  @PrimaryColumn('bigint')
  at!: number;

  /** A UUID of its own, or the zone ID of a copied journal entry. */
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  /** The journal number of a copied entry, otherwise 0. */
  @PrimaryColumn('bigint')
  number!: number;

  @Column('varchar', { length: 32, ...BYTEWISE })
  action!: string;

  /** The affected tenant; `null` if the subject has no owner. */
  @Column('varchar', { name: 'owner_id', length: 255, nullable: true, ...BYTEWISE })
  ownerId!: string | null;

  /** This and the next columns: as in the journal. */
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

  @Column('varchar', { name: 'change_id', length: 36, nullable: true })
  changeId!: string | null;

  @Column('bigint', { nullable: true })
  serial!: number | null;

  @Column('varchar', { name: 'subject_id', length: 255, nullable: true })
  subjectId!: string | null;

  @Column('varchar', { name: 'subject_name', length: 255, nullable: true })
  subjectName!: string | null;

  /** JSON, without secrets. */
  @Column('text', { nullable: true })
  details!: string | null;
}
