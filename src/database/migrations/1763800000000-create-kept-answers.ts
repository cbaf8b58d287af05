import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** The answers that requests with an Idempotency-Key were given (behaviour 10.2). */
export class CreateKeptAnswers1763800000000 implements MigrationInterface {
  readonly name = 'CreateKeptAnswers1763800000000';

  async up(runner: QueryRunner): Promise<void> {
    const key = (name: string): TableColumnOptions => ({
      name,
      type: 'varchar',
      length: '255',
      isPrimary: true,
      primaryKeyConstraintName: 'kept_answers_key',
      ...bytewiseOn(runner),
    });
    await runner.createTable(
      new Table({
        name: 'kept_answers',
        columns: [
          key('tenant_id'),
          key('request_key'),
          { name: 'fingerprint', type: 'varchar', length: '64', ...bytewiseOn(runner) },
          { name: 'status', type: 'integer' },
          { name: 'content_type', type: 'varchar', length: '64' },
          { name: 'body', type: 'text' },
          { name: 'location', type: 'text', isNullable: true },
          { name: 'kept_at', type: 'bigint' },
        ],
        indices: [{ name: 'kept_answers_by_time', columnNames: ['kept_at'] }],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('kept_answers');
  }
}
