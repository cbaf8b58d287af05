import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys of a tenant in the order of their age, and keys of other signers. */
export class ExpandZoneKeys1764570000000 implements MigrationInterface {
  readonly name = 'ExpandZoneKeys1764570000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const isOnPostgres = runner.dataSource.options.type === 'postgres';
    // An interrupted run may have added it.
    if (!(await runner.hasColumn('zone_keys', 'signer')))
      await runner.query(`ALTER TABLE zone_keys ADD COLUMN signer varchar(63)${isOnPostgres ? ' COLLATE "C"' : ''}`);
    // A new schema is created in one transaction.
    const how = isOnPostgres && !runner.isTransactionActive ? 'CONCURRENTLY' : '';
    // An interrupted run leaves an invalid one.
    await runner.query(`DROP INDEX ${how} IF EXISTS zone_keys_by_age`);
    await runner.query(
      `CREATE INDEX ${how} zone_keys_by_age ON zone_keys (tenant_id, role, created_at, id) WHERE retired_at IS NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX zone_keys_by_age');
    await runner.query('ALTER TABLE zone_keys DROP COLUMN signer');
  }
}
