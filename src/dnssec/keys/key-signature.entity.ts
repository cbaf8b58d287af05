import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** TypeORM writes into the options of a column, so spread them. */
const KEY = { primaryKeyConstraintName: 'key_signatures_key' } as const;

/** A signature of an offline KSK for a set that the zone has now or in a later step of its rollover. */
@Entity('key_signatures')
export class KeySignatureEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE, ...KEY })
  zoneId!: string;

  /** DNSKEY, CDS or CDNSKEY. */
  @PrimaryColumn('integer', { ...KEY })
  type!: number;

  /** Of the set, as in `signed_sets`. */
  @PrimaryColumn('varchar', { length: 24, ...BYTEWISE, ...KEY })
  digest!: string;

  /** The key tag of the KSK. */
  @PrimaryColumn('integer', { ...KEY })
  tag!: number;

  /** In seconds since 1970. */
  @PrimaryColumn('bigint', { ...KEY })
  inception!: number;

  /** In seconds since 1970. */
  @Column('bigint')
  expiration!: number;

  /** RDATA in base64. */
  @Column('text')
  rrsig!: string;
}
