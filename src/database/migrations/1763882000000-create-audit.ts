import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Who did what: what the journal does not tell, the address of who is in the journal, and its rows by their time. */
export class CreateAudit1763882000000 implements MigrationInterface {
  readonly name = 'CreateAudit1763882000000';

  async up(runner: QueryRunner): Promise<void> {
    const bytewise = bytewiseOn(runner);
    const key = { isPrimary: true, primaryKeyConstraintName: 'audit_entries_key' };
    const bigint = (name: string): TableColumnOptions => ({ name, type: 'bigint' });
    const text = (name: string, length: string): TableColumnOptions => ({ name, type: 'varchar', length });
    const code = (name: string, length: string): TableColumnOptions => ({ ...text(name, length), ...bytewise });
    const optional = (column: TableColumnOptions): TableColumnOptions => ({ ...column, isNullable: true });
    await runner.createTable(
      new Table({
        name: 'audit_entries',
        withoutRowid: true,
        columns: [
          { ...bigint('at'), ...key },
          { ...code('id', '36'), ...key },
          { ...bigint('number'), ...key },
          code('action', '32'),
          optional(code('owner_id', '255')),
          code('tenant_id', '255'),
          optional(code('token_id', '36')),
          optional(code('user_name', '255')),
          optional(code('address', '64')),
          text('request_id', '64'),
          optional(code('zone_id', '36')),
          optional(text('zone_name', '255')),
          optional(text('change_id', '36')),
          optional(bigint('serial')),
          optional(text('subject_id', '255')),
          optional(text('subject_name', '255')),
          optional({ name: 'details', type: 'text' }),
        ],
      }),
    );
    await runner.query('ALTER TABLE journal ADD COLUMN address varchar(64)');
    await runner.query('CREATE INDEX journal_in_time ON journal (at, zone_id, number)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX journal_in_time');
    await runner.query('ALTER TABLE journal DROP COLUMN address');
    await runner.dropTable('audit_entries');
  }
}
