import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Webhooks, what they are to be sent, and whose turn it is. */
export class CreateWebhooks1763886000000 implements MigrationInterface {
  readonly name = 'CreateWebhooks1763886000000';

  async up(runner: QueryRunner): Promise<void> {
    const bytewise = bytewiseOn(runner);
    const bigint = (name: string): TableColumnOptions => ({ name, type: 'bigint' });
    const integer = (name: string): TableColumnOptions => ({ name, type: 'integer' });
    const long = (name: string): TableColumnOptions => ({ name, type: 'text' });
    const text = (name: string, length: string): TableColumnOptions => ({ name, type: 'varchar', length });
    const code = (name: string, length: string): TableColumnOptions => ({ ...text(name, length), ...bytewise });
    const optional = (column: TableColumnOptions): TableColumnOptions => ({ ...column, isNullable: true });
    await runner.createTable(
      new Table({
        name: 'webhooks',
        columns: [
          { ...code('id', '36'), isPrimary: true },
          code('tenant_id', '255'),
          long('url'),
          optional(text('description', '160')),
          integer('enabled'),
          optional(code('disabled_because', '16')),
          optional(long('domains')),
          optional(long('actions')),
          code('secret', '80'),
          optional(code('former_secret', '80')),
          optional(bigint('former_until')),
          optional(bigint('overflowed_at')),
          bigint('created_at'),
          optional(bigint('updated_at')),
        ],
        indices: [{ name: 'webhooks_of_tenant', columnNames: ['tenant_id', 'id'] }],
      }),
    );
    const place = ['webhook_id', 'zone_id', 'number'];
    await runner.createTable(
      new Table({
        name: 'webhook_deliveries',
        columns: [
          { ...code('id', '36'), isPrimary: true },
          code('webhook_id', '36'),
          code('zone_id', '36'),
          bigint('number'),
          code('event_id', '64'),
          code('event_type', '64'),
          long('body'),
          code('status', '9'),
          integer('attempts'),
          bigint('retry_until'),
          optional(integer('answer')),
          optional(text('fault', '160')),
          bigint('created_at'),
          optional(bigint('attempted_at')),
          bigint('settled_at'),
        ],
        indices: [
          { name: 'webhook_deliveries_key', columnNames: place, isUnique: true },
          { name: 'webhook_deliveries_by_status', columnNames: ['webhook_id', 'status', 'id'] },
          { name: 'webhook_deliveries_waiting', columnNames: place, where: "status = 'waiting'" },
          { name: 'webhook_deliveries_by_time', columnNames: ['status', 'settled_at'] },
        ],
      }),
    );
    const key = { isPrimary: true, primaryKeyConstraintName: 'webhook_queues_key' };
    await runner.createTable(
      new Table({
        name: 'webhook_queues',
        columns: [
          { ...code('webhook_id', '36'), ...key },
          { ...code('zone_id', '36'), ...key },
          bigint('next_at'),
          optional(code('claim', '36')),
        ],
        indices: [{ name: 'webhook_queues_due', columnNames: ['next_at'] }],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['webhook_queues', 'webhook_deliveries', 'webhooks']) await runner.dropTable(table);
  }
}
