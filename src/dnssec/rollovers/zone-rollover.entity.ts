import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Instant } from '../../common/clock.js';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import type { KeyRole } from '../keys/zone-key.entity.js';

/** Which keys are rolled: one of that role, or all of them to another algorithm. */
export type RolloverKind = KeyRole | 'algorithm';

/**
 * `sign`: new keys sign beside the old ones; `publish`: they are in the DNSKEY set; `swap`: the DS is to follow them, and a key
 * that takes the place of one of the same algorithm signs instead of it; `remove`: the old ones are out of the DNSKEY set;
 * `unsign`: their signatures are gone too. `rollover-plan.ts` says which rollover has which.
 */
export type RolloverStep = 'sign' | 'publish' | 'swap' | 'remove' | 'unsign';

/** Keys of a zone taking the place of others. A zone has one of them at a time. */
@Entity('zone_rollovers')
export class ZoneRolloverEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  @Column('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  @Column('varchar', { length: 9, ...BYTEWISE })
  kind!: RolloverKind;

  /** 1: others may have the old key. */
  @Column('integer', { name: 'is_emergency' })
  isEmergency!: number;

  /** Where all keys are rolled, the one that a DS refers to; the others have its algorithm. */
  @Column('varchar', { name: 'old_key_id', length: 36, ...BYTEWISE })
  oldKeyId!: string;

  @Column('varchar', { name: 'new_key_id', length: 36, ...BYTEWISE })
  newKeyId!: string;

  @Column('varchar', { length: 8, ...BYTEWISE })
  step!: RolloverStep;

  @Column('bigint', { name: 'step_since' })
  stepSince!: Instant;

  /** `ZoneSigningEntity.step` when this step was begun: a later one has what it changes. */
  @Column('bigint', { name: 'publication_before' })
  publicationBefore!: number;

  /** Until when caches may have what was before; `null`: not every name server has what this step changes. */
  @Column('bigint', { name: 'proven_until', nullable: true })
  provenUntil!: Instant | null;

  /** Until when caches may have the DS of the old key; `null`: the parent zone was not said to have that of the new one. */
  @Column('bigint', { name: 'ds_until', nullable: true })
  dsUntil!: Instant | null;
}
