import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the few ALIAS records of a zone, and of all zones. */
export class ExpandRecordsByAlias1764490100000 implements MigrationInterface {
  readonly name = 'ExpandRecordsByAlias1764490100000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // A new schema is created in one transaction.
    const how = runner.dataSource.options.type === 'postgres' && !runner.isTransactionActive ? 'CONCURRENTLY' : '';
    // An interrupted run leaves an invalid one.
    await runner.query(`DROP INDEX ${how} IF EXISTS records_alias`);
    await runner.query(`CREATE INDEX ${how} records_alias ON records (zone_id, owner_key) WHERE type = 'ALIAS'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX records_alias');
  }
}
