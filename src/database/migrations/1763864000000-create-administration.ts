import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** The pool that the configuration describes. */
const DEFAULT_POOL = '794ccc2c-d751-44fe-b57f-8894c9f5c842';

/** What admins keep through version 2: rules for names of zones, TSIG keys and pools; and which services run. */
export class CreateAdministration1763864000000 implements MigrationInterface {
  readonly name = 'CreateAdministration1763864000000';

  async up(runner: QueryRunner): Promise<void> {
    const bytewise = bytewiseOn(runner);
    const bigint = (name: string): TableColumnOptions => ({ name, type: 'bigint' });
    const text = (name: string, length: string): TableColumnOptions => ({ name, type: 'varchar', length });
    const code = (name: string, length: string): TableColumnOptions => ({ ...text(name, length), ...bytewise });
    const create = (name: string, columns: TableColumnOptions[], uniqueKey: string[]): Promise<void> =>
      runner.createTable(
        new Table({
          name,
          columns: [
            { ...code('id', '36'), isPrimary: true },
            ...columns,
            bigint('created_at'),
            { ...bigint('updated_at'), isNullable: true },
          ],
          indices: [{ name: `${name}_key`, columnNames: uniqueKey, isUnique: true }],
        }),
      );
    const description = { ...text('description', '160'), isNullable: true };
    await create('tlds', [text('name', '255'), code('name_key', '255'), description], ['name_key']);
    await create('blacklists', [code('pattern', '255'), description], ['pattern']);
    await runner.createTable(
      new Table({
        name: 'zone_name_rules',
        columns: [{ ...code('id', '36'), isPrimary: true }, code('state', '36')],
      }),
    );
    await create(
      'tsig_keys',
      [
        text('name', '160'),
        code('name_key', '160'),
        code('algorithm', '32'),
        text('secret', '255'),
        code('scope', '8'),
        code('resource_id', '36'),
      ],
      ['name_key'],
    );
    await create(
      'pools',
      [
        code('name', '255'),
        description,
        { name: 'ns_records', type: 'text' },
        { ...text('project_id', '255'), isNullable: true },
      ],
      ['name'],
    );
    await create(
      'service_statuses',
      [code('service_name', '64'), code('hostname', '255'), code('status', '8'), bigint('heartbeated_at')],
      ['service_name', 'hostname'],
    );
    await runner.query(
      `INSERT INTO pools (id, name, ns_records, created_at) VALUES ('${DEFAULT_POOL}', 'default', '[]', ${Date.now() * 1000})`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['service_statuses', 'pools', 'tsig_keys', 'zone_name_rules', 'blacklists', 'tlds'])
      await runner.dropTable(table);
  }
}
