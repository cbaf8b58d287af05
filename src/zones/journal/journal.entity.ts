import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/**
 * One step of an accepted change. The journal is the only source of a zone's history and outlives the zone. `number`
 * counts the steps of a zone from 1 without gaps. `journal-format.ts` defines the snapshots.
 */
@Entity('journal', { withoutRowid: true })
@Index('journal_deleted_records', ['zoneId', 'recordId'], { where: "action = 'record.delete'" })
@Index('journal_in_time', ['at', 'zoneId', 'number'])
@Index('journal_former_zones', ['formerName', 'formerOwner', 'zoneId'], { where: "action = 'zone.delete'" })
@Index('journal_former_of_owner', ['formerOwner', 'zoneId'], { where: "action = 'zone.delete'" })
@Index('journal_ends', ['zoneId', 'number'], { where: "action = 'zone.delete'" })
@Index('journal_transfers', ['zoneId', 'number'], { where: "action = 'zone.transfer'" })
export class JournalEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  @PrimaryColumn('bigint')
  number!: number;

  @Column('bigint')
  serial!: number;

  /** Shared by the steps of a change: a UUID, or `serial-<serial>` for a change of version 0.1. */
  @Column('varchar', { name: 'change_id', length: 36, ...BYTEWISE })
  changeId!: string;

  @Column('varchar', { length: 32 })
  action!: string;

  /** `null` for a step of the zone itself. */
  @Column('varchar', { name: 'record_id', length: 36, nullable: true, ...BYTEWISE })
  recordId!: string | null;

  /** Snapshot as JSON; `null` for a create. */
  @Column('text', { nullable: true })
  before!: string | null;

  /** Snapshot, or differences of an update, as JSON; `null` for a delete. */
  @Column('text', { nullable: true })
  after!: string | null;

  /** Tenant of the caller; differs from the owner if an admin acts for it. */
  @Column('varchar', { name: 'tenant_id', length: 255 })
  tenantId!: string;

  @Column('varchar', { name: 'token_id', length: 36, nullable: true })
  tokenId!: string | null;

  @Column('varchar', { name: 'user_name', length: 255, nullable: true })
  userName!: string | null;

  /** Address of the client; `null` if unknown, and for changes by the service or its operator. */
  @Column('varchar', { length: 64, nullable: true })
  address!: string | null;

  @Column('varchar', { name: 'request_id', length: 64 })
  requestId!: string;

  @Column('bigint')
  at!: number;

  /** Only of `zone.delete`: the zone name in lower case. With the owner it finds the journal of a deleted zone. */
  @Column('varchar', { name: 'former_name', length: 255, nullable: true, ...BYTEWISE })
  formerName!: string | null;

  /** Only of `zone.delete`: the owner; `null` in old rows. */
  @Column('varchar', { name: 'former_owner', length: 255, nullable: true, ...BYTEWISE })
  formerOwner!: string | null;

  /** Only in the first step of a change. */
  @Column('varchar', { length: 500, nullable: true })
  message!: string | null;
}
