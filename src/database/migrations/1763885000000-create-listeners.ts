import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** How far listeners have come, which process gives them what, and the steps after which a zone is not whose it was. */
export class CreateListeners1763885000000 implements MigrationInterface {
  readonly name = 'CreateListeners1763885000000';

  async up(runner: QueryRunner): Promise<void> {
    const bytewise = bytewiseOn(runner);
    const code = (name: string, length: string): TableColumnOptions => ({ name, type: 'varchar', length, ...bytewise });
    const key = (column: TableColumnOptions, table: string): TableColumnOptions => ({
      ...column,
      isPrimary: true,
      primaryKeyConstraintName: `${table}_key`,
    });
    const bigint = (name: string): TableColumnOptions => ({ name, type: 'bigint' });
    await runner.createTable(
      new Table({
        name: 'change_listeners',
        columns: [{ ...code('name', '63'), isPrimary: true }, bigint('seen_at')],
      }),
    );
    await runner.createTable(
      new Table({
        name: 'listener_places',
        withoutRowid: true,
        columns: [
          key(code('listener', '63'), 'listener_places'),
          key(code('zone_id', '36'), 'listener_places'),
          bigint('number'),
        ],
      }),
    );
    await runner.createTable(
      new Table({
        name: 'listener_processes',
        columns: [
          { ...code('holder', '255'), isPrimary: true },
          { name: 'listeners', type: 'text' },
          { name: 'failing', type: 'text' },
          bigint('renewals'),
        ],
      }),
    );
    await runner.createTable(
      new Table({
        name: 'listener_shards',
        columns: [
          key(code('listener', '63'), 'listener_shards'),
          key({ name: 'shard', type: 'integer' }, 'listener_shards'),
          code('holder', '255'),
        ],
      }),
    );
    await runner.query("CREATE INDEX journal_transfers ON journal (zone_id, number) WHERE action = 'zone.transfer'");
    await runner.query("CREATE INDEX journal_ends ON journal (zone_id, number) WHERE action = 'zone.delete'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX journal_ends');
    await runner.query('DROP INDEX journal_transfers');
    for (const table of ['listener_shards', 'listener_processes', 'listener_places', 'change_listeners'])
      await runner.dropTable(table);
  }
}
