import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** What an UPDATE was answered, for as long as its signature is good: a repeated one gets the same answer. */
@Entity('update_answers', { withoutRowid: true })
@Index('update_answers_until', ['until'])
export class UpdateAnswerEntity {
  /** SHA-256 of key and MAC in hexadecimal. The MAC is that of the whole message, its id and time among it. */
  @PrimaryColumn('varchar', { length: 64, primaryKeyConstraintName: 'update_answers_key', ...BYTEWISE })
  message!: string;

  @Column('integer')
  rcode!: number;

  /** In seconds since 1970. */
  @Column('bigint')
  until!: number;
}
