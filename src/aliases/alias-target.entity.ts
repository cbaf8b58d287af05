import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/statements/bytewise.js';

/** How the last resolution of a target ended. */
export type TargetState = 'new' | 'resolved' | 'missing' | 'failing' | 'refused' | 'looping';

const KEY = { ...BYTEWISE, primaryKeyConstraintName: 'alias_targets_key' };

/** A name that one or many ALIAS records follow, and its last addresses. */
@Entity('alias_targets', { withoutRowid: true })
@Index('alias_targets_due', ['nextAt', 'fingerprint', 'zoneId'])
@Index('alias_targets_in_zone', ['zoneId'], { where: "zone_id <> ''" })
@Index('alias_targets_stale', ['fingerprint', 'zoneId'], { where: 'is_stale = 1' })
@Index('alias_targets_troubled', ['state'], { where: "state <> 'resolved'" })
@Index('alias_targets_untold', ['fingerprint', 'zoneId'], { where: 'untold > 0' })
export class AliasTargetEntity {
  /** `fingerprint` of the ALIAS records. */
  @PrimaryColumn('varchar', { length: 32, ...KEY })
  fingerprint!: string;

  /** The zone of this service that answers for it; empty: the resolver does. */
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...KEY })
  zoneId!: string;

  @Column('varchar', { length: 1020 })
  name!: string;

  @Column('bigint', { name: 'next_at' })
  nextAt!: number;

  @Column('varchar', { length: 16, ...BYTEWISE })
  state!: TargetState;

  /** Why it is not resolved; `null` if it is. */
  @Column('varchar', { length: 255, nullable: true })
  problem!: string | null;

  /** First of the consecutive resolutions without addresses. */
  @Column('bigint', { name: 'troubled_since', nullable: true })
  troubledSince!: number | null;

  /** Sorted and joined by blanks. */
  @Column('text')
  addresses!: string;

  /** Counts the changes of `addresses`. */
  @Column('integer')
  version!: number;

  /** 1 while records may have older addresses. */
  @Column('integer', { name: 'is_stale' })
  isStale!: number;

  @Column('bigint', { name: 'resolved_at', nullable: true })
  resolvedAt!: number | null;

  /** Counts the facts to tell: odd while the target is told as failing. */
  @Column('integer', { default: 0 })
  notices!: number;

  /** When the last of these facts was found. */
  @Column('bigint', { name: 'noticed_at', nullable: true })
  noticedAt!: number | null;

  /** Positive while zones have to be told; every such request makes it another number. */
  @Column('integer', { default: 0 })
  untold!: number;
}

const OWNER_KEY = { ...BYTEWISE, primaryKeyConstraintName: 'alias_owners_key' };

/** An ALIAS record whose addresses have been published, and which. */
@Entity('alias_owners', { withoutRowid: true })
@Index('alias_owners_of_target', ['fingerprint', 'targetZoneId', 'targetVersion'])
@Index('alias_owners_told', ['fingerprint', 'targetZoneId', 'told', 'zoneId', 'ownerKey'])
export class AliasOwnerEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...OWNER_KEY })
  zoneId!: string;

  @PrimaryColumn('varchar', { name: 'owner_key', length: 765, ...OWNER_KEY })
  ownerKey!: string;

  /** The record in this version: its target and TTL. */
  @Column('varchar', { name: 'record_id', length: 36, ...BYTEWISE })
  recordId!: string;

  @Column('integer', { name: 'record_version' })
  recordVersion!: number;

  @Column('varchar', { length: 32, ...BYTEWISE })
  fingerprint!: string;

  @Column('varchar', { name: 'target_zone_id', length: 36, ...BYTEWISE })
  targetZoneId!: string;

  @Column('integer', { name: 'target_version' })
  targetVersion!: number;

  /** `notices` of the target that its zone has been told. */
  @Column('integer', { default: 0 })
  told!: number;
}
