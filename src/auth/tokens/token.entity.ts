import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** A stored token: its SHA-256, never the token itself. */
@Entity('tokens')
@Index('tokens_hash', ['hash'], { unique: true })
@Index('tokens_parent', ['parentId'])
@Index('tokens_made', ['tenantId', 'parentId'])
@Index('tokens_tenant', ['tenantId', 'createdAt', 'id'])
@Index('tokens_of_users', ['tenantId', 'madeByUser', 'createdAt', 'id'], { where: 'made_by_user IS NOT NULL' })
@Index('tokens_in_order', ['createdAt', 'id'])
export class TokenEntity {
  /** Shown by `token list` and taken by `token revoke`. */
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  /** SHA-256 of the token, 64 hexadecimal digits. */
  @Column('varchar', { length: 64, ...BYTEWISE })
  hash!: string;

  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  /** Role names, separated by commas. */
  @Column('varchar', { length: 255 })
  roles!: string;

  @Column('varchar', { length: 160, nullable: true })
  description!: string | null;

  /** Microseconds since 1970, as all times in the database. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  @Column('bigint', { name: 'expires_at', nullable: true })
  expiresAt!: number | null;

  @Column('bigint', { name: 'revoked_at', nullable: true })
  revokedAt!: number | null;

  /** The token that has made it, and ends with it; `null` for one that an operator has made. */
  @Column('varchar', { name: 'parent_id', length: 36, nullable: true, ...BYTEWISE })
  parentId!: string | null;

  /** Who has made it with a credential of somebody else's; `null` for all others. */
  @Column('varchar', { name: 'made_by_user', length: 255, nullable: true, ...BYTEWISE })
  madeByUser!: string | null;

  /** What it is limited to, as JSON; `null`: to nothing. */
  @Column('text', { nullable: true })
  restrictions!: string | null;

  /** A few minutes more or less: it is not written with each use. */
  @Column('bigint', { name: 'last_used_at', nullable: true })
  lastUsedAt!: number | null;

  /** The address of the client. */
  @Column('varchar', { name: 'last_used_from', length: 64, nullable: true })
  lastUsedFrom!: string | null;
}
