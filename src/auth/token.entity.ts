import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/bytewise.js';

/** A stored token: its SHA-256, never the token itself. */
@Entity('tokens')
@Index('tokens_hash', ['hash'], { unique: true })
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
}
