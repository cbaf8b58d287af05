import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Instant } from '../../common/clock.js';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** `csk` signs everything; `ksk` signs the keys, and the DS refers to it; `zsk` signs the rest. */
export const KEY_ROLES = ['csk', 'ksk', 'zsk'] as const;
export type KeyRole = (typeof KEY_ROLES)[number];

/** A key of a zone. The row outlives the zone, because a DS may refer to it. */
@Entity('zone_keys')
@Index('zone_keys_tag', ['zoneId', 'tag'], { unique: true })
@Index('zone_keys_of_name', ['nameKey', 'tenantId'])
@Index('zone_keys_by_age', ['tenantId', 'role', 'createdAt', 'id'], { where: 'retired_at IS NULL' })
export class ZoneKeyEntity {
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  @Column('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  @Column('varchar', { name: 'name_key', length: 255, ...BYTEWISE })
  nameKey!: string;

  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  @Column('varchar', { length: 3, ...BYTEWISE })
  role!: KeyRole;

  @Column('integer')
  algorithm!: number;

  /** The key tag, unique within the zone. */
  @Column('integer')
  tag!: number;

  /** DNSKEY RDATA in base64. */
  @Column('text')
  dnskey!: string;

  /** The other signer that has the private key (RFC 8901); `null`: this service. */
  @Column('varchar', { length: 63, nullable: true, ...BYTEWISE })
  signer!: string | null;

  /** The encrypted private key; `null` for a key of another signer. */
  @Column('text', { nullable: true })
  sealed!: string | null;

  @Column('varchar', { name: 'sealed_with', length: 16, nullable: true, ...BYTEWISE })
  sealedWith!: string | null;

  /** 1: the DNSKEY set has the key. */
  @Column('integer', { name: 'is_published' })
  isPublished!: number;

  /** 1: the key signs DNSKEY, CDS and CDNSKEY. */
  @Column('integer', { name: 'signs_keys' })
  signsKeys!: number;

  @Column('integer', { name: 'signs_zone' })
  signsZone!: number;

  /** 1: CDS and CDNSKEY ask for its DS. */
  @Column('integer', { name: 'is_in_cds' })
  isInCds!: number;

  @Column('bigint', { name: 'created_at' })
  createdAt!: Instant;

  @Column('bigint', { name: 'retired_at', nullable: true })
  retiredAt!: Instant | null;
}

export type KeyUsage = Pick<ZoneKeyEntity, 'isPublished' | 'signsKeys' | 'signsZone' | 'isInCds'>;

export const UNUSED: KeyUsage = { isPublished: 0, signsKeys: 0, signsZone: 0, isInCds: 0 };

/** The usage of a key of that role outside of rollovers. */
export function usageOf(role: KeyRole): KeyUsage {
  const isEntry = role === 'zsk' ? 0 : 1;
  return { isPublished: 1, signsKeys: isEntry, signsZone: role === 'ksk' ? 0 : 1, isInCds: isEntry };
}

/** The usage of a key of another signer: it only signs there. */
export function usageOfForeign(role: KeyRole, isInDs: boolean): KeyUsage {
  return { ...UNUSED, isPublished: 1, isInCds: isInDs && role !== 'zsk' ? 1 : 0 };
}
