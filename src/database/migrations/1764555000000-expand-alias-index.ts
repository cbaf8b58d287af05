import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEX = 'CREATE INDEX records_alias ON records (zone_id, owner_key) WHERE type';

/** Another condition for the index of ALIAS records, on SQLite (`isAliasSql`). */
export class ExpandAliasIndex1764555000000 implements MigrationInterface {
  readonly name = 'ExpandAliasIndex1764555000000';

  up(runner: QueryRunner): Promise<void> {
    return replaceIndex(runner, `${INDEX} IN ('ALIAS', 'ALIAS')`);
  }

  down(runner: QueryRunner): Promise<void> {
    return replaceIndex(runner, `${INDEX} = 'ALIAS'`);
  }
}

async function replaceIndex(runner: QueryRunner, index: string): Promise<void> {
  if (runner.dataSource.options.type === 'postgres') return;
  await runner.query('DROP INDEX records_alias');
  await runner.query(index);
}
