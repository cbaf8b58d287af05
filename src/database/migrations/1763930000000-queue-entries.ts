import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Queues of webhooks keep entries of the journal from now on, and what is sent is made of them; events that are in queues already
 * are sent as they are. The column has a new name, so that an older release that still runs cannot send an entry as it is stored.
 */
export class QueueEntries1763930000000 implements MigrationInterface {
  readonly name = 'QueueEntries1763930000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_events RENAME COLUMN body TO content');
  }

  /** An older release cannot send entries: they are removed, and `zonewright check --fix` counts what is left. */
  async down(runner: QueryRunner): Promise<void> {
    const entries = `SELECT event_id FROM webhook_events WHERE content LIKE '{"v":%'`;
    await runner.query(`DELETE FROM webhook_deliveries WHERE status <> 'delivered' AND event_id IN (${entries})`);
    await runner.query(`DELETE FROM webhook_events WHERE event_id IN (${entries})`);
    await runner.query('ALTER TABLE webhook_events RENAME COLUMN content TO body');
  }
}
