import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

export class CreateAcmeReports1764000000000 implements MigrationInterface {
  readonly name = 'CreateAcmeReports1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(
      new Table({
        name: 'acme_reports',
        columns: [
          { name: 'id', type: 'varchar', length: '36', isPrimary: true },
          { name: 'zone', type: 'varchar', length: '255' },
          { name: 'records', type: 'integer' },
          { name: 'at', type: 'bigint' },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('acme_reports');
  }
}
