import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Which plugins the database has been used with, and what they have left in it. */
export class NotePlugins1763884000000 implements MigrationInterface {
  readonly name = 'NotePlugins1763884000000';

  async up(runner: QueryRunner): Promise<void> {
    const bytewise = bytewiseOn(runner);
    await runner.createTable(
      new Table({
        name: 'plugins',
        columns: [
          { name: 'name', type: 'varchar', length: '63', isPrimary: true, ...bytewise },
          { name: 'record_types', type: 'text' },
          { name: 'tables', type: 'text' },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('plugins');
  }
}
