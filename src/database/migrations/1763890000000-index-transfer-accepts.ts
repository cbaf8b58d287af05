import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

const NAME = 'zone_transfer_accepts_of_tenant';

/** A tenant's list of what it has taken up leaves out what others have. */
export class IndexTransferAccepts1763890000000 implements MigrationInterface {
  readonly name = 'IndexTransferAccepts1763890000000';

  async up(runner: QueryRunner): Promise<void> {
    const index = new TableIndex({ name: NAME, columnNames: ['tenant_id', 'created_at', 'id'] });
    await runner.createIndex('zone_transfer_accepts', index);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('zone_transfer_accepts', NAME);
  }
}
