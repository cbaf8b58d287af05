import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** What version 2 shows of a zone; zones whose records are those of other name servers, and when these are asked. */
export class ShowZonesToVersionTwo1763860000000 implements MigrationInterface {
  readonly name = 'ShowZonesToVersionTwo1763860000000';

  async up(runner: QueryRunner): Promise<void> {
    const bytewise = runner.dataSource.options.type === 'postgres' ? ' COLLATE "C"' : '';
    await runner.query(`ALTER TABLE zones ADD COLUMN type varchar(9)${bytewise} NOT NULL DEFAULT 'PRIMARY'`);
    await runner.query('ALTER TABLE zones ADD COLUMN masters text');
    await runner.query('ALTER TABLE zones ADD COLUMN attributes text');
    await runner.query('ALTER TABLE zones ADD COLUMN transferred_at bigint');
    await runner.createTable(transfersIn(runner));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('transfers_in');
    for (const column of ['transferred_at', 'attributes', 'masters', 'type'])
      await runner.query(`ALTER TABLE zones DROP COLUMN ${column}`);
  }
}

function transfersIn(runner: QueryRunner): Table {
  const instant = (name: string): TableColumnOptions => ({ name, type: 'bigint', isNullable: true });
  return new Table({
    name: 'transfers_in',
    withoutRowid: true,
    columns: [
      { name: 'zone_id', type: 'varchar', length: '36', isPrimary: true, ...bytewiseOn(runner) },
      { name: 'due_at', type: 'bigint' },
      instant('checked_at'),
      instant('expires_at'),
      instant('failing_since'),
      instant('refused_since'),
      { name: 'error', type: 'varchar', length: '255', isNullable: true },
    ],
    indices: [{ name: 'transfers_in_due', columnNames: ['due_at'] }],
  });
}
