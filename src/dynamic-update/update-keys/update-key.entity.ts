import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import type { TsigAlgorithm } from '../../dns/message/tsig/tsig-key.js';

/** A TSIG key of a tenant for DNS UPDATE (RFC 8945). HMAC needs the plain secret. */
@Entity('update_keys')
@Index('update_keys_name', ['name'], { unique: true, where: 'revoked_at IS NULL' })
@Index('update_keys_of_tenant', ['tenantId', 'createdAt', 'id'])
@Index('update_keys_changed', ['changedAt', 'id'])
export class UpdateKeyEntity {
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  /** The key name: a domain name in lower case with the final dot. */
  @Column('varchar', { length: 255, ...BYTEWISE })
  name!: string;

  @Column('varchar', { length: 16, ...BYTEWISE })
  algorithm!: TsigAlgorithm;

  /** Base64. */
  @Column('varchar', { length: 255 })
  secret!: string;

  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  @Column('varchar', { length: 160, nullable: true })
  description!: string | null;

  @Column('text', { nullable: true })
  restrictions!: string | null;

  /** Microseconds since 1970, like all times in the database. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  @Column('bigint', { name: 'expires_at', nullable: true })
  expiresAt!: number | null;

  @Column('bigint', { name: 'revoked_at', nullable: true })
  revokedAt!: number | null;

  /** Time of creation or revocation, which other processes poll. */
  @Column('bigint', { name: 'changed_at' })
  changedAt!: number;
}
