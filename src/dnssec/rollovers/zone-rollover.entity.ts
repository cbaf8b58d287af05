import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Instant } from '../../common/clock.js';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import { KEY_ROLES } from '../keys/zone-key.entity.js';

/** The key of a role, or all keys to another algorithm; another signer joins or leaves (RFC 8901). */
export const ROLLOVER_KINDS = [...KEY_ROLES, 'algorithm', 'join', 'leave'] as const;
export type RolloverKind = (typeof ROLLOVER_KINDS)[number];

/**
 * `prepare`: an offline KSK has to sign the keys of all steps; `sign`: new keys sign together with the old ones; `publish`: the DNSKEY set has the new keys; `swap`: CDS asks for the new DS,
 * and a new key of the same algorithm signs instead of the old one; `remove`: the old keys are out of the DNSKEY set; `unsign`:
 * the signatures of the old keys are deleted; `withdraw`: no resolver asks the name servers of a leaving signer any more.
 * `rollover-plan.ts` has the steps of each kind.
 */
export type RolloverStep = 'prepare' | 'sign' | 'publish' | 'swap' | 'remove' | 'unsign' | 'withdraw';

/** The rollover of a zone, which has at most one at a time. */
@Entity('zone_rollovers')
export class ZoneRolloverEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  @Column('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  @Column('varchar', { length: 9, ...BYTEWISE })
  kind!: RolloverKind;

  /** 1: the old key may be compromised. */
  @Column('integer', { name: 'is_emergency' })
  isEmergency!: number;

  /** In an algorithm rollover the key of the DS; the other old keys share its algorithm. Of a leaving signer: its KSK. */
  @Column('varchar', { name: 'old_key_id', length: 36, ...BYTEWISE })
  oldKeyId!: string;

  /** Of a joining signer: its KSK. */
  @Column('varchar', { name: 'new_key_id', length: 36, ...BYTEWISE })
  newKeyId!: string;

  @Column('varchar', { length: 8, ...BYTEWISE })
  step!: RolloverStep;

  @Column('bigint', { name: 'step_since' })
  stepSince!: Instant;

  /** `ZoneSigningEntity.step` when this step began. A later one includes its changes. */
  @Column('bigint', { name: 'publication_before' })
  publicationBefore!: number;

  /** When caches have expired the former data; `null`: not every name server has the changes of this step. */
  @Column('bigint', { name: 'proven_until', nullable: true })
  provenUntil!: Instant | null;

  /**
   * When caches have expired the DS of the old key; `null`: no new DS in the parent zone yet. In `withdraw`: when they have expired
   * the delegation to the leaving signer.
   */
  @Column('bigint', { name: 'ds_until', nullable: true })
  dsUntil!: Instant | null;
}
