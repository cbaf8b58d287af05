import { Injectable } from '@nestjs/common';
import { bulkInsert } from '../../database/statements/bulk-write.js';
import { Lookup } from '../../database/statements/lookup.js';
import { PortionedDelete } from '../../database/statements/portioned-delete.js';
import type { Transaction } from '../../database/transaction.js';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** The answer to an UPDATE while its signature is valid: a repeated message gets the stored RCODE. */
@Entity('update_answers', { withoutRowid: true })
@Index('update_answers_until', ['until'])
export class UpdateAnswerEntity {
  /** SHA-256 of key ID and MAC in hexadecimal. The MAC covers the whole message with ID and time. */
  @PrimaryColumn('varchar', { length: 64, primaryKeyConstraintName: 'update_answers_key', ...BYTEWISE })
  message!: string;

  @Column('integer')
  rcode!: number;

  /** Seconds since 1970. */
  @Column('bigint')
  until!: number;
}

/** Both statements share a round trip with the change. */
const FIND = new Lookup<Pick<UpdateAnswerEntity, 'rcode'>>('SELECT rcode FROM update_answers WHERE message = ?', [
  'text',
]);
const INSERT = bulkInsert('update_answers', { message: 'text', rcode: 'integer', until: 'bigint' });
const DELETE_OLD = new PortionedDelete({
  table: 'update_answers',
  key: ['message'],
  where: 'until < ?',
  index: 'update_answers_until',
  orderBy: 'until',
});

const REMOVED_AT_A_TIME = 500;
/** Clocks of machines differ by at most this time. */
const CLOCK_DIFFERENCE_SECONDS = 60;

@Injectable()
export class UpdateAnswerRepository {
  /** The RCODE of the first answer; `null` for a new message. */
  async find(tx: Transaction, message: string): Promise<number | null> {
    const [found] = await FIND.rows(tx, [], [[message]]);
    return found?.rcode ?? null;
  }

  insert(tx: Transaction, { message, rcode, until }: UpdateAnswerEntity): Promise<void> {
    return INSERT.run(tx, [[message, rcode, until]]);
  }

  /**
   * Removes a batch of answers whose messages would be refused by their time.
   * @param now seconds since 1970
   * @returns whether more may remain
   */
  removeSome(tx: Transaction, now: number): Promise<boolean> {
    return DELETE_OLD.run(tx, [now - CLOCK_DIFFERENCE_SECONDS], REMOVED_AT_A_TIME);
  }
}
