import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** Somebody who has signed in on a page. */
@Entity('sessions')
@Index('sessions_of_holder', ['holder', 'createdAt'])
@Index('sessions_by_end', ['endsAt'])
export class SessionEntity {
  /** SHA-256 of the secret in its cookie, in hexadecimal. */
  @PrimaryColumn('varchar', { length: 64, primaryKeyConstraintName: 'sessions_key', ...BYTEWISE })
  digest!: string;

  /** SHA-256 of who has signed in, in hexadecimal. */
  @Column('varchar', { length: 64, ...BYTEWISE })
  holder!: string;

  /** The credential behind it, sealed with the secret. */
  @Column('text')
  credential!: string;

  /** Microseconds since 1970, as the two below. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  /** When it ends unless it is used before. */
  @Column('bigint', { name: 'ends_at' })
  endsAt!: number;

  /** When it ends however much it is used. */
  @Column('bigint', { name: 'latest_end' })
  latestEnd!: number;
}
