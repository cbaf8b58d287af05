import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Instant } from '../../common/clock.js';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import type { Denial } from '../../dns/dnssec/denial.js';

/**
 * `signing`: the first signatures are being made; `proving`: name servers and caches do not all have them yet; `ready`: the DS
 * may be set; `secure`: the parent has it; `leaving`: the parent is to remove it.
 */
export type SigningState = 'signing' | 'proving' | 'ready' | 'secure' | 'leaving';

/** Before a DS may be at the parent, nobody looks for signatures, and the zone can be as it was before at once. */
export const BEFORE_DS: ReadonlySet<SigningState> = new Set(['signing', 'proving']);

/** That a zone is signed, and how far. The row orders the runs that sign it. */
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

  /** Of new keys. */
  @Column('integer')
  algorithm!: number;

  /** 1: one key signs everything; 0: one the keys, another the rest. */
  @Column('integer', { name: 'is_single_key' })
  isSingleKey!: number;

  /** Of the rows of `signed_sets` that count; others are being prepared, or are to be removed. 0: there are none. */
  @Column('bigint')
  generation!: number;

  /** The version of the zone's contents that they belong to; `null` before the first. */
  @Column('bigint', { name: 'signed_version', nullable: true })
  signedVersion!: number | null;

  /** The number of the latest row of `signed_steps`; one more with each publication. */
  @Column('bigint')
  step!: number;

  /** Grows with each change of what is made at the apex, and of who signs: what was signed before does not count then. */
  @Column('bigint', { name: 'keys_version' })
  keysVersion!: number;

  /** When the first signature is due, or the state is to be looked at; `null`: when the zone changes. */
  @Column('bigint', { name: 'next_due_at', nullable: true })
  nextDueAt!: Instant | null;

  /** When something was signed last: a clock that is behind this was set back. */
  @Column('bigint', { name: 'run_at' })
  runAt!: Instant;

  /** What was found wrong, in words: nothing is signed until somebody has looked. `null`: nothing was. */
  @Column('varchar', { name: 'halted_because', length: 255, nullable: true, ...BYTEWISE })
  haltedBecause!: string | null;

  @Column('bigint', { name: 'state_since' })
  stateSince!: Instant;

  /** When caches have nothing any more that is not signed; `null` before all name servers are proven to have signatures. */
  @Column('bigint', { name: 'ready_at', nullable: true })
  readyAt!: Instant | null;

  /** When all that is published was looked at last. */
  @Column('bigint', { name: 'checked_at' })
  checkedAt!: Instant;

  /** Until when caches may have something that is not published any more, or has a shorter ttl by now. */
  @Column('bigint', { name: 'former_until', default: 0 })
  formerUntil!: Instant;

  /** When the parent zone is looked at; a change of `keysVersion` makes that now. `null`: after the next one. */
  @Column('bigint', { name: 'parent_due_at', nullable: true })
  parentDueAt!: Instant | null;

  /**
   * Equals `step` where all targets of SVCB and HTTPS are known to be signed in lower case. A release that signs them as they are
   * spelled leaves it behind.
   */
  @Column('bigint', { name: 'folded_step', nullable: true })
  foldedStep!: number | null;
}

/** What is made from it is looked at at once, and a run that has read it as it was begins again. */
export function withOtherKeys(row: ZoneSigningEntity, now: Instant): ZoneSigningEntity {
  return { ...row, keysVersion: row.keysVersion + 1, nextDueAt: now };
}

/** What is published may follow the state. */
export function entering(row: ZoneSigningEntity, state: SigningState, now: Instant): ZoneSigningEntity {
  return { ...withOtherKeys(row, now), state, stateSince: now, readyAt: null };
}
