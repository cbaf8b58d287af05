import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Instant } from '../../common/clock.js';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** `csk` signs everything; `ksk` the keys, which a DS refers to; `zsk` the rest. */
export type KeyRole = 'csk' | 'ksk' | 'zsk';

/** A key of a zone. The row outlives its zone, as a DS may. */
@Entity('zone_keys')
@Index('zone_keys_tag', ['zoneId', 'tag'], { unique: true })
@Index('zone_keys_of_name', ['nameKey', 'tenantId'])
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

  /** No other key of the zone has it. */
  @Column('integer')
  tag!: number;

  /** Its RDATA in base64. */
  @Column('text')
  dnskey!: string;

  /** The private key, sealed; `null` for one of another signer. */
  @Column('text', { nullable: true })
  sealed!: string | null;

  /** Which key it is sealed with; `null` where nothing is. */
  @Column('varchar', { name: 'sealed_with', length: 16, nullable: true, ...BYTEWISE })
  sealedWith!: string | null;

  /** 1: it is in the DNSKEY set. */
  @Column('integer', { name: 'is_published' })
  isPublished!: number;

  /** 1: it signs DNSKEY, CDS and CDNSKEY. */
  @Column('integer', { name: 'signs_keys' })
  signsKeys!: number;

  /** 1: it signs all else. */
  @Column('integer', { name: 'signs_zone' })
  signsZone!: number;

  /** 1: CDS and CDNSKEY ask for a DS of it. */
  @Column('integer', { name: 'is_in_cds' })
  isInCds!: number;

  @Column('bigint', { name: 'created_at' })
  createdAt!: Instant;

  @Column('bigint', { name: 'retired_at', nullable: true })
  retiredAt!: Instant | null;
}
