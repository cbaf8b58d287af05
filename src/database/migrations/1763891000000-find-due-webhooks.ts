import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is due is gone through in portions: the index has all that says where the next one begins. */
export class FindDueWebhooks1763891000000 implements MigrationInterface {
  readonly name = 'FindDueWebhooks1763891000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX webhook_queues_due');
    await runner.query('CREATE INDEX webhook_queues_due ON webhook_queues (next_at, webhook_id, zone_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX webhook_queues_due');
    await runner.query('CREATE INDEX webhook_queues_due ON webhook_queues (next_at)');
  }
}
