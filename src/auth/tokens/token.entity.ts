import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** The database has the SHA-256 of a token, never the token itself. */
@Entity('tokens')
@Index('tokens_hash', ['hash'], { unique: true })
@Index('tokens_parent', ['parentId'])
@Index('tokens_made', ['tenantId', 'parentId'])
@Index('tokens_tenant', ['tenantId', 'createdAt', 'id'])
@Index('tokens_of_users', ['tenantId', 'madeByUser', 'createdAt', 'id'], { where: 'made_by_user IS NOT NULL' })
@Index('tokens_in_order', ['createdAt', 'id'])
export class TokenEntity {
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  /** SHA-256 of the token, 64 hexadecimal digits. */
  @Column('varchar', { length: 64, ...BYTEWISE })
  hash!: string;

  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  /** Separated by commas. */
  @Column('varchar', { length: 255 })
  roles!: string;

  @Column('varchar', { length: 160, nullable: true })
  description!: string | null;

  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  @Column('bigint', { name: 'expires_at', nullable: true })
  expiresAt!: number | null;

  @Column('bigint', { name: 'revoked_at', nullable: true })
  revokedAt!: number | null;

  /** Parent token, with which this token ends; `null` if an operator created it. */
  @Column('varchar', { name: 'parent_id', length: 36, nullable: true, ...BYTEWISE })
  parentId!: string | null;

  /** User of the external credential that created the token. */
  @Column('varchar', { name: 'made_by_user', length: 255, nullable: true, ...BYTEWISE })
  madeByUser!: string | null;

  /** JSON; `null`: unrestricted. */
  @Column('text', { nullable: true })
  restrictions!: string | null;

  /** Minutes late: not every use writes it. */
  @Column('bigint', { name: 'last_used_at', nullable: true })
  lastUsedAt!: number | null;

  @Column('varchar', { name: 'last_used_from', length: 64, nullable: true })
  lastUsedFrom!: string | null;
}
