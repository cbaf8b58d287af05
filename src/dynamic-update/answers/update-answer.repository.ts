import { Injectable } from '@nestjs/common';
import { bulkInsert } from '../../database/statements/bulk-write.js';
import { Lookup } from '../../database/statements/lookup.js';
import { PortionedDelete } from '../../database/statements/portioned-delete.js';
import type { Transaction } from '../../database/transaction.js';
import type { UpdateAnswerEntity } from './update-answer.entity.js';

/** Both go along with what else a change reads and writes. */
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

/** Answers of messages whose signatures are good still. */
@Injectable()
export class UpdateAnswerRepository {
  /** The RCODE that the message was answered; `null`: it has not come before. */
  async find(tx: Transaction, message: string): Promise<number | null> {
    const [found] = await FIND.rows(tx, [], [[message]]);
    return found?.rcode ?? null;
  }

  insert(tx: Transaction, { message, rcode, until }: UpdateAnswerEntity): Promise<void> {
    return INSERT.run(tx, [[message, rcode, until]]);
  }

  /**
   * Removes some of those that no message can be given any more.
   * @param before in seconds since 1970
   * @returns whether there may be more
   */
  removeSome(tx: Transaction, before: number, most: number): Promise<boolean> {
    return DELETE_OLD.run(tx, [before], most);
  }
}
