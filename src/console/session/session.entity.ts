import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

@Entity('sessions')
@Index('sessions_of_holder', ['holder', 'createdAt'])
@Index('sessions_by_end', ['endsAt'])
export class SessionEntity {
  /** SHA-256 of the secret in its cookie, in hexadecimal. */
  @PrimaryColumn('varchar', { length: 64, primaryKeyConstraintName: 'sessions_key', ...BYTEWISE })
  digest!: string;

  /** SHA-256 of the signed-in identity, in hexadecimal. */
  @Column('varchar', { length: 64, ...BYTEWISE })
  holder!: string;

  /** Sealed with the secret. */
  @Column('text')
  credential!: string;

  /** All times are microseconds since 1970. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  /** Each use extends it. */
  @Column('bigint', { name: 'ends_at' })
  endsAt!: number;

  /** Use does not extend it. */
  @Column('bigint', { name: 'latest_end' })
  latestEnd!: number;
}
