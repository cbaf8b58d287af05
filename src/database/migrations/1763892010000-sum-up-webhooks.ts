import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** What webhooks and tenants have in their queues, as sums; and events that nobody needs go with what needed them. */
export class SumUpWebhooks1763892010000 implements MigrationInterface {
  readonly name = 'SumUpWebhooks1763892010000';

  async up(runner: QueryRunner): Promise<void> {
    const bytewise = bytewiseOn(runner);
    await runner.createTable(
      new Table({
        name: 'webhook_usage',
        columns: [
          { name: 'webhook_id', type: 'varchar', length: '36', ...bytewise, isPrimary: true },
          { name: 'waiting', type: 'integer', default: 0 },
          { name: 'dead', type: 'integer', default: 0 },
          { name: 'octets', type: 'bigint', default: 0 },
          { name: 'deleted', type: 'integer', default: 0 },
        ],
        indices: [{ name: 'webhook_usage_of_deleted', columnNames: ['webhook_id'], where: 'deleted = 1' }],
      }),
    );
    await runner.createTable(
      new Table({
        name: 'webhook_tenants',
        columns: [
          { name: 'tenant_id', type: 'varchar', length: '255', ...bytewise, isPrimary: true },
          { name: 'octets', type: 'bigint', default: 0 },
        ],
      }),
    );
    await runner.query(
      'DELETE FROM webhook_events WHERE NOT EXISTS (SELECT 1 FROM webhook_deliveries d' +
        " WHERE d.event_id = webhook_events.event_id AND d.status <> 'delivered')",
    );
    await runner.query(
      'INSERT INTO webhook_usage (webhook_id, waiting, dead, octets, deleted) SELECT d.webhook_id,' +
        " COUNT(CASE WHEN d.status = 'waiting' THEN 1 END), COUNT(CASE WHEN d.status = 'dead' THEN 1 END)," +
        " SUM(CASE WHEN d.status = 'delivered' THEN 0 ELSE d.octets END), MAX(CASE WHEN w.id IS NULL THEN 1 ELSE 0 END)" +
        ' FROM webhook_deliveries d LEFT JOIN webhooks w ON w.id = d.webhook_id GROUP BY d.webhook_id',
    );
    await runner.query(
      'INSERT INTO webhook_tenants (tenant_id, octets) SELECT tenant_id, SUM(octets) FROM webhook_events GROUP BY tenant_id',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('webhook_tenants');
    await runner.dropTable('webhook_usage');
  }
}
