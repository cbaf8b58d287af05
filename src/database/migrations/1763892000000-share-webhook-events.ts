import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** What webhooks are sent is stored once for all webhooks of a tenant, no longer with each delivery. */
export class ShareWebhookEvents1763892000000 implements MigrationInterface {
  readonly name = 'ShareWebhookEvents1763892000000';

  async up(runner: QueryRunner): Promise<void> {
    const bytewise = bytewiseOn(runner);
    await runner.createTable(
      new Table({
        name: 'webhook_events',
        columns: [
          { name: 'event_id', type: 'varchar', length: '64', ...bytewise, isPrimary: true },
          { name: 'tenant_id', type: 'varchar', length: '255', ...bytewise },
          { name: 'octets', type: 'integer' },
          { name: 'body', type: 'text' },
        ],
        indices: [{ name: 'webhook_events_of_tenant', columnNames: ['tenant_id', 'event_id', 'octets'] }],
      }),
    );
    await runner.query(
      'INSERT INTO webhook_events (event_id, tenant_id, octets, body) SELECT d.event_id, w.tenant_id, d.octets, d.body' +
        " FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id WHERE d.status <> 'delivered'" +
        ' ON CONFLICT (event_id) DO NOTHING',
    );
    await runner.query('ALTER TABLE webhook_deliveries DROP COLUMN body');
    await runner.createIndex(
      'webhook_deliveries',
      new TableIndex({
        name: 'webhook_deliveries_of_event',
        columnNames: ['event_id', 'webhook_id'],
        where: "status <> 'delivered'",
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX webhook_deliveries_of_event');
    await runner.query("ALTER TABLE webhook_deliveries ADD COLUMN body text NOT NULL DEFAULT ''");
    await runner.query(
      'UPDATE webhook_deliveries SET body =' +
        " COALESCE((SELECT e.body FROM webhook_events e WHERE e.event_id = webhook_deliveries.event_id), '')" +
        " WHERE status <> 'delivered'",
    );
    await runner.dropTable('webhook_events');
  }
}
