import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import type { TsigAlgorithm } from '../../dns/message/tsig/tsig-key.js';

/** A secret that a tenant shares with whoever updates its zones (RFC 8945). HMAC needs the secret itself. */
@Entity('update_keys')
@Index('update_keys_name', ['name'], { unique: true, where: 'revoked_at IS NULL' })
@Index('update_keys_of_tenant', ['tenantId', 'createdAt', 'id'])
@Index('update_keys_changed', ['changedAt', 'id'])
export class UpdateKeyEntity {
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  /** A domain name in lower case with its final dot: messages name the key by it. */
  @Column('varchar', { length: 255, ...BYTEWISE })
  name!: string;

  @Column('varchar', { length: 16, ...BYTEWISE })
  algorithm!: TsigAlgorithm;

  /** In base64. */
  @Column('varchar', { length: 255 })
  secret!: string;

  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  @Column('varchar', { length: 160, nullable: true })
  description!: string | null;

  /** What it is limited to, as JSON; `null`: to nothing. */
  @Column('text', { nullable: true })
  restrictions!: string | null;

  /** Microseconds since 1970, as all times in the database. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  @Column('bigint', { name: 'expires_at', nullable: true })
  expiresAt!: number | null;

  @Column('bigint', { name: 'revoked_at', nullable: true })
  revokedAt!: number | null;

  /** When it was made or revoked: other processes ask for what has changed since they asked last. */
  @Column('bigint', { name: 'changed_at' })
  changedAt!: number;
}
