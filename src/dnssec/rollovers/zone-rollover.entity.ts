import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Instant } from '../../common/clock.js';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import type { KeyRole } from '../keys/zone-key.entity.js';

/**
 * `publish`: the new key is in the DNSKEY set; `swap`: it signs what the old one did, and the DS is to follow it; `remove`: the
 * old key is gone (RFC 6781 §4.1.1.1, §4.1.2, §4.1.3).
 */
export type RolloverStep = 'publish' | 'swap' | 'remove';

/** One key of a zone taking the place of another. A zone has one of them at a time. */
@Entity('zone_rollovers')
export class ZoneRolloverEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  @Column('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  /** Of which keys. */
  @Column('varchar', { length: 3, ...BYTEWISE })
  kind!: KeyRole;

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
