import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Answers to DNS updates, so that a repeated message gets its first one. */
export class CreateUpdateAnswers1763960001000 implements MigrationInterface {
  readonly name = 'CreateUpdateAnswers1763960001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(
      new Table({
        name: 'update_answers',
        withoutRowid: true,
        columns: [
          {
            ...{ name: 'message', type: 'varchar', length: '64', ...bytewiseOn(runner) },
            ...{ isPrimary: true, primaryKeyConstraintName: 'update_answers_key' },
          },
          { name: 'rcode', type: 'integer' },
          { name: 'until', type: 'bigint' },
        ],
      }),
    );
    await runner.query('CREATE INDEX update_answers_until ON update_answers (until)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('update_answers');
  }
}
