import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** The catalog zone (RFC 9432): its serial, and which zones became members and ceased to be members under which serial. */
export class CreateCatalog1763850000000 implements MigrationInterface {
  readonly name = 'CreateCatalog1763850000000';

  async up(runner: QueryRunner): Promise<void> {
    const bytewise = bytewiseOn(runner);
    const text = (name: string, length: string): TableColumnOptions => ({ name, type: 'varchar', length });
    const bigint = (name: string): TableColumnOptions => ({ name, type: 'bigint' });
    await runner.createTable(
      new Table({
        name: 'catalogs',
        columns: [
          { ...text('id', '32'), isPrimary: true, ...bytewise },
          text('name', '255'),
          { ...text('member_group', '255'), isNullable: true },
          bigint('serial'),
          bigint('history_from'),
        ],
      }),
    );
    await runner.createTable(
      new Table({
        name: 'catalog_members',
        withoutRowid: true,
        columns: [
          { ...text('zone_id', '36'), isPrimary: true, ...bytewise },
          text('name', '255'),
          bigint('added_serial'),
          { ...bigint('removed_serial'), isNullable: true },
          { ...bigint('removed_at'), isNullable: true },
        ],
        indices: [{ name: 'catalog_members_removed', columnNames: ['removed_at'] }],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('catalog_members');
    await runner.dropTable('catalogs');
  }
}
