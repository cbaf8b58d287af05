import { Column, Entity, Index } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import { ResourceEntity } from '../../database/resource.entity.js';

/** A secret that servers share (RFC 8945), as an admin has noted it. The transfer server has its keys from the configuration. */
@Entity('tsig_keys')
@Index('tsig_keys_key', ['nameKey'], { unique: true })
export class TsigKeyEntity extends ResourceEntity {
  /** As sent. */
  @Column('varchar', { length: 160 })
  name!: string;

  /** The name in lower case: keys are called by domain names. */
  @Column('varchar', { name: 'name_key', length: 160, ...BYTEWISE })
  nameKey!: string;

  @Column('varchar', { length: 32, ...BYTEWISE })
  algorithm!: TsigAlgorithm;

  /** As sent. */
  @Column('varchar', { length: 255 })
  secret!: string;

  @Column('varchar', { length: 8, ...BYTEWISE })
  scope!: TsigScope;

  /** The zone or pool that it is for. */
  @Column('varchar', { name: 'resource_id', length: 36, ...BYTEWISE })
  resourceId!: string;
}

export const TSIG_ALGORITHMS = [
  'hmac-md5',
  'hmac-sha1',
  'hmac-sha224',
  'hmac-sha256',
  'hmac-sha384',
  'hmac-sha512',
] as const;
export type TsigAlgorithm = (typeof TSIG_ALGORITHMS)[number];

export const TSIG_SCOPES = ['POOL', 'ZONE'] as const;
export type TsigScope = (typeof TSIG_SCOPES)[number];
