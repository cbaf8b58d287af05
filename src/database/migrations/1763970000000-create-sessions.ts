import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Who has signed in on the console (behaviour 3.8). */
export class CreateSessions1763970000000 implements MigrationInterface {
  readonly name = 'CreateSessions1763970000000';

  async up(runner: QueryRunner): Promise<void> {
    const digest = { type: 'varchar', length: '64', ...bytewiseOn(runner) };
    await runner.createTable(
      new Table({
        name: 'sessions',
        columns: [
          { name: 'digest', ...digest, isPrimary: true, primaryKeyConstraintName: 'sessions_key' },
          { name: 'holder', ...digest },
          { name: 'credential', type: 'text' },
          { name: 'created_at', type: 'bigint' },
          { name: 'ends_at', type: 'bigint' },
          { name: 'latest_end', type: 'bigint' },
        ],
        indices: [
          { name: 'sessions_of_holder', columnNames: ['holder', 'created_at'] },
          { name: 'sessions_by_end', columnNames: ['ends_at'] },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('sessions');
  }
}
