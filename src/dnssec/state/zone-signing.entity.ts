import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Instant } from '../../common/clock.js';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import type { Denial } from '../../dns/dnssec/denial.js';

/**
 * `signing`: no signatures yet; `proving`: not all name servers and caches have them; `ready`: the parent may add the DS;
 * `secure`: the parent has the DS; `leaving`: the parent must delete the DS.
 */
export type SigningState = 'signing' | 'proving' | 'ready' | 'secure' | 'leaving';

/** Without a DS no validator requires signatures: the zone can be unsigned at any time. */
export const BEFORE_DS: ReadonlySet<SigningState> = new Set(['signing', 'proving']);

/** The signing state of a zone. The row orders the jobs that sign it. */
@Entity('zone_signing')
@Index('zone_signing_due', ['nextDueAt', 'zoneId'])
@Index('zone_signing_checked', ['checkedAt', 'zoneId'])
@Index('zone_signing_parent_due', ['parentDueAt', 'zoneId'])
export class ZoneSigningEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  @Column('varchar', { length: 12, ...BYTEWISE })
  state!: SigningState;

  @Column('varchar', { length: 5, ...BYTEWISE })
  denial!: Denial;

  @Column('integer')
  algorithm!: number;

  /** 1: a CSK; 0: a KSK and a ZSK. */
  @Column('integer', { name: 'is_single_key' })
  isSingleKey!: number;

  /** The published generation of `signed_sets`. 0: none. */
  @Column('bigint')
  generation!: number;

  /** The content version of these rows; `null` before the first signatures. */
  @Column('bigint', { name: 'signed_version', nullable: true })
  signedVersion!: number | null;

  /** The number of the last `signed_steps` row, one for each publication. */
  @Column('bigint')
  step!: number;

  /** Grows when generated sets or signing keys change: running jobs start again. */
  @Column('bigint', { name: 'keys_version' })
  keysVersion!: number;

  /** When a signature or a state change is due; `null`: after the next change. */
  @Column('bigint', { name: 'next_due_at', nullable: true })
  nextDueAt!: Instant | null;

  /** When the zone was last signed: an earlier clock was set back. */
  @Column('bigint', { name: 'run_at' })
  runAt!: Instant;

  /** The fault that halted signing until an operator acts; `null`: none. */
  @Column('varchar', { name: 'halted_because', length: 255, nullable: true, ...BYTEWISE })
  haltedBecause!: string | null;

  @Column('bigint', { name: 'state_since' })
  stateSince!: Instant;

  /** When caches have expired unsigned answers; `null`: not all name servers have signatures. */
  @Column('bigint', { name: 'ready_at', nullable: true })
  readyAt!: Instant | null;

  @Column('bigint', { name: 'checked_at' })
  checkedAt!: Instant;

  /** When caches have expired data that is deleted, or has a shorter TTL now. */
  @Column('bigint', { name: 'former_until', default: 0 })
  formerUntil!: Instant;

  /** When to poll the parent zone, now if `keysVersion` changes. `null`: after that. */
  @Column('bigint', { name: 'parent_due_at', nullable: true })
  parentDueAt!: Instant | null;

  /** Equals `step` if all SVCB and HTTPS targets are signed in lower case. Earlier releases do not update it. */
  @Column('bigint', { name: 'folded_step', nullable: true })
  foldedStep!: number | null;

  /** The TTL of DNSKEY, CDS and CDNSKEY in seconds while a KSK is offline; `null`: that of the zone, up to an hour. */
  @Column('integer', { name: 'key_ttl', nullable: true })
  keyTtl!: number | null;
}

/** Schedules a job, and makes running jobs start again. */
export function withOtherKeys(row: ZoneSigningEntity, now: Instant): ZoneSigningEntity {
  return { ...row, keysVersion: row.keysVersion + 1, nextDueAt: now };
}

/** Enters a state, and schedules a job: generated sets depend on the state. */
export function entering(row: ZoneSigningEntity, state: SigningState, now: Instant): ZoneSigningEntity {
  return { ...withOtherKeys(row, now), state, stateSince: now, readyAt: null };
}
