import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How much what waits for webhooks weighs, in the index that it is counted by. */
export class WeighDeliveries1763891200000 implements MigrationInterface {
  readonly name = 'WeighDeliveries1763891200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_deliveries ADD COLUMN octets integer NOT NULL DEFAULT 0');
    await runner.query('UPDATE webhook_deliveries SET octets = octet_length(body)');
    await runner.query('DROP INDEX webhook_deliveries_by_status');
    await runner.query(
      'CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (webhook_id, status, id, octets)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX webhook_deliveries_by_status');
    await runner.query('CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (webhook_id, status, id)');
    await runner.query('ALTER TABLE webhook_deliveries DROP COLUMN octets');
  }
}
