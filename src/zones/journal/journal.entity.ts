import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/**
 * One step of an accepted change. The journal is the single source of what happened to a zone and outlives it; `number`
 * counts each zone's steps from 1 without a gap. `journal-format.ts` says what the snapshots hold.
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

  /** The zone's serial after the change. */
  @Column('bigint')
  serial!: number;

  /** All steps of one change share it: a UUID, or `serial-<serial>` for a change of version 0.1. */
  @Column('varchar', { name: 'change_id', length: 36, ...BYTEWISE })
  changeId!: string;

  @Column('varchar', { length: 32 })
  action!: string;

  /** `null` for a step of the zone itself. */
  @Column('varchar', { name: 'record_id', length: 36, nullable: true, ...BYTEWISE })
  recordId!: string | null;

  /** A snapshot as JSON; `null` when the step has created something. */
  @Column('text', { nullable: true })
  before!: string | null;

  /** A snapshot, or what an update has made different, as JSON; `null` when the step has deleted something. */
  @Column('text', { nullable: true })
  after!: string | null;

  /** The tenant that asked, which differs from the owner when an admin acts for it. */
  @Column('varchar', { name: 'tenant_id', length: 255 })
  tenantId!: string;

  /** The token that was shown; `null` where there was none. */
  @Column('varchar', { name: 'token_id', length: 36, nullable: true })
  tokenId!: string | null;

  /** The user that the credential named; `null` where it named none. */
  @Column('varchar', { name: 'user_name', length: 255, nullable: true })
  userName!: string | null;

  /** The client's address; `null` where it is not known, and for what the service or its operator did. */
  @Column('varchar', { length: 64, nullable: true })
  address!: string | null;

  @Column('varchar', { name: 'request_id', length: 64 })
  requestId!: string;

  @Column('bigint')
  at!: number;

  /** Of `zone.delete` only: the zone's name in lower case. With the owner it finds the journal of a zone that is gone. */
  @Column('varchar', { name: 'former_name', length: 255, nullable: true, ...BYTEWISE })
  formerName!: string | null;

  /** Of `zone.delete` only: the tenant whose zone it was; `null` where nobody has written it down. */
  @Column('varchar', { name: 'former_owner', length: 255, nullable: true, ...BYTEWISE })
  formerOwner!: string | null;

  /** What was said of the change; in the first of its steps. */
  @Column('varchar', { length: 500, nullable: true })
  message!: string | null;
}
