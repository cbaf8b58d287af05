import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

const KEY = { length: 255, primaryKeyConstraintName: 'kept_answers_key', ...BYTEWISE } as const;

/** The answer that a request with an Idempotency-Key was given. */
@Entity('kept_answers')
@Index('kept_answers_by_time', ['keptAt'])
@Index('kept_answers_of_tenant', ['tenantId', 'keptAt', 'octets'])
export class StoredResponseEntity {
  @PrimaryColumn('varchar', { name: 'tenant_id', ...KEY })
  tenantId!: string;

  @PrimaryColumn('varchar', { name: 'request_key', ...KEY })
  requestKey!: string;

  /** SHA-256 of the request, in hexadecimal: the same key with another one is refused. */
  @Column('varchar', { length: 64, ...BYTEWISE })
  fingerprint!: string;

  @Column('integer')
  status!: number;

  @Column('varchar', { name: 'content_type', length: 64 })
  contentType!: string;

  @Column('text')
  body!: string;

  @Column('text', { nullable: true })
  location!: string | null;

  /** How much it counts of what a tenant may have kept. */
  @Column('integer', { default: 0 })
  octets!: number;

  /** Microseconds since 1970. */
  @Column('bigint', { name: 'kept_at' })
  keptAt!: number;
}
