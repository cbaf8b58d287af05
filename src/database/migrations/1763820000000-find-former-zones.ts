import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the journal of a deleted zone by the zone's name, and says whose it was: zones that are gone have no row. */
export class FindFormerZones1763820000000 implements MigrationInterface {
  readonly name = 'FindFormerZones1763820000000';

  async up(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.dataSource.options.type === 'postgres';
    const bytewise = isPostgres ? ' COLLATE "C"' : '';
    await runner.query(`ALTER TABLE journal ADD COLUMN former_name varchar(255)${bytewise}`);
    await runner.query(`ALTER TABLE journal ADD COLUMN former_owner varchar(255)${bytewise}`);
    await runner.query(namesOfFormer(isPostgres));
    await runner.query(
      "CREATE INDEX journal_former_zones ON journal (former_name, former_owner, zone_id) WHERE action = 'zone.delete'",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX journal_former_zones');
    await runner.query('ALTER TABLE journal DROP COLUMN former_owner');
    await runner.query('ALTER TABLE journal DROP COLUMN former_name');
  }
}

/** A zone belongs to the tenant that made it. */
function namesOfFormer(isPostgres: boolean): string {
  const name = isPostgres ? "before::json->>'name'" : "json_extract(before, '$.name')";
  return (
    `UPDATE journal SET former_name = lower(${name}), former_owner = (SELECT made.tenant_id FROM journal made` +
    " WHERE made.zone_id = journal.zone_id AND made.number = 1 AND made.action = 'zone.create')" +
    " WHERE action = 'zone.delete'"
  );
}
