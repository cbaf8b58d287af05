import { type MigrationInterface, type QueryRunner, Table, TableColumn, type TableColumnOptions } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** What is signed of zones, with which keys, and what name servers are sent of them. */
export class SignZones1764000000000 implements MigrationInterface {
  readonly name = 'SignZones1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    const bytewise = bytewiseOn(runner);
    const key = (name: string, length = '36'): TableColumnOptions => ({ name, type: 'varchar', length, ...bytewise });
    const number = (name: string): TableColumnOptions => ({ name, type: 'bigint' });
    const orNull = (column: TableColumnOptions): TableColumnOptions => ({ ...column, isNullable: true });
    await runner.addColumn('zones', new TableColumn(orNull(number('published_version'))));
    await runner.addColumn('zones', new TableColumn(orNull(number('published_serial'))));
    await runner.createTable(
      new Table({
        name: 'zone_signing',
        columns: [
          { ...key('zone_id'), isPrimary: true },
          key('state', '12'),
          key('denial', '5'),
          { name: 'algorithm', type: 'integer' },
          { name: 'is_single_key', type: 'integer' },
          number('generation'),
          orNull(number('signed_version')),
          number('step'),
          number('keys_version'),
          orNull(number('next_due_at')),
          number('run_at'),
          orNull(key('halted_because', '255')),
          number('state_since'),
          orNull(number('ready_at')),
          number('checked_at'),
        ],
        indices: [
          { name: 'zone_signing_due', columnNames: ['next_due_at', 'zone_id'] },
          { name: 'zone_signing_checked', columnNames: ['checked_at', 'zone_id'] },
        ],
      }),
    );
    await runner.createTable(
      new Table({
        name: 'zone_keys',
        columns: [
          { ...key('id'), isPrimary: true },
          key('zone_id'),
          key('name_key', '255'),
          key('tenant_id', '255'),
          key('role', '3'),
          { name: 'algorithm', type: 'integer' },
          { name: 'tag', type: 'integer' },
          { name: 'dnskey', type: 'text' },
          orNull({ name: 'sealed', type: 'text' }),
          orNull(key('sealed_with', '16')),
          ...['is_published', 'signs_keys', 'signs_zone', 'is_in_cds'].map((name) => ({ name, type: 'integer' })),
          number('created_at'),
          orNull(number('retired_at')),
        ],
        indices: [
          { name: 'zone_keys_tag', columnNames: ['zone_id', 'tag'], isUnique: true },
          { name: 'zone_keys_of_name', columnNames: ['name_key', 'tenant_id'] },
        ],
      }),
    );
    await runner.createTable(
      new Table({
        name: 'zone_rollovers',
        columns: [
          { ...key('zone_id'), isPrimary: true },
          key('id'),
          key('kind', '9'),
          { name: 'is_emergency', type: 'integer' },
          key('old_key_id'),
          key('new_key_id'),
          key('step', '8'),
          number('step_since'),
          number('publication_before'),
          orNull(number('proven_until')),
          orNull(number('ds_until')),
        ],
      }),
    );
    const inSets = { isPrimary: true, primaryKeyConstraintName: 'signed_sets_key' };
    await runner.createTable(
      new Table({
        name: 'signed_sets',
        withoutRowid: true,
        columns: [
          { ...key('zone_id'), ...inSets },
          { ...number('generation'), ...inSets },
          { ...key('owner_key', '255'), ...inSets },
          { name: 'type', type: 'integer', ...inSets },
          orNull(key('chain_key', '255')),
          { name: 'ttl', type: 'integer' },
          key('digest', '24'),
          { name: 'rdatas', type: 'text' },
          { name: 'signatures', type: 'text' },
          key('signed_by', '64'),
          number('expires_at'),
          number('due_at'),
        ],
        indices: [
          {
            name: 'signed_sets_chain',
            columnNames: ['zone_id', 'generation', 'chain_key'],
            where: 'chain_key IS NOT NULL',
          },
          { name: 'signed_sets_due', columnNames: ['zone_id', 'generation', 'due_at'] },
        ],
      }),
    );
    const inSteps = { isPrimary: true, primaryKeyConstraintName: 'signed_steps_key' };
    await runner.createTable(
      new Table({
        name: 'signed_steps',
        withoutRowid: true,
        columns: [
          { ...key('zone_id'), ...inSteps },
          { ...number('number'), ...inSteps },
          number('serial_before'),
          number('serial'),
          { name: 'octets', type: 'integer' },
          { name: 'removed', type: 'text' },
          { name: 'added', type: 'text' },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['signed_steps', 'signed_sets', 'zone_rollovers', 'zone_keys', 'zone_signing'])
      await runner.dropTable(table);
    for (const column of ['published_serial', 'published_version']) await runner.dropColumn('zones', column);
  }
}
