import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';

export class CreateInspections1764000000000 implements MigrationInterface {
  readonly name = 'CreateInspections1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(
      new Table({
        name: 'inspections_results',
        columns: [
          { name: 'id', type: 'varchar', length: '36', isPrimary: true },
          { name: 'zone', type: 'varchar', length: '255' },
          { name: 'errors', type: 'integer' },
          { name: 'warnings', type: 'integer' },
          { name: 'at', type: 'bigint' },
        ],
        indices: [new TableIndex({ name: 'inspections_results_at', columnNames: ['at', 'id'] })],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('inspections_results');
  }
}
