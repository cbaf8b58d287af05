import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A tenant's zones are listed by their names, as they are written and in canonical order, each by an index of its own. */
export class ExpandZonesByNames1764020000000 implements MigrationInterface {
  readonly name = 'ExpandZonesByNames1764020000000';

  async up(runner: QueryRunner): Promise<void> {
    // PostgreSQL would order names as the language of the database does.
    const bytewise = runner.dataSource.options.type === 'postgres' ? ' COLLATE "C"' : '';
    await runner.query(`CREATE INDEX zones_of_tenant_by_name ON zones (tenant_id, name${bytewise}, id)`);
    await runner.query('CREATE INDEX zones_of_tenant_by_key ON zones (tenant_id, name_key)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX zones_of_tenant_by_key');
    await runner.query('DROP INDEX zones_of_tenant_by_name');
  }
}
