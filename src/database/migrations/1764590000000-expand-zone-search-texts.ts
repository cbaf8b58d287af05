import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The texts of the blocks, which PostgreSQL has already. A block of an earlier release has none. */
export class ExpandZoneSearchTexts1764590000000 implements MigrationInterface {
  readonly name = 'ExpandZoneSearchTexts1764590000000';

  async up(runner: QueryRunner): Promise<void> {
    if (isSqlite(runner)) await runner.query('ALTER TABLE zone_search_blocks ADD COLUMN text text');
  }

  async down(runner: QueryRunner): Promise<void> {
    if (isSqlite(runner)) await runner.query('ALTER TABLE zone_search_blocks DROP COLUMN text');
  }
}

function isSqlite({ dataSource }: QueryRunner): boolean {
  return dataSource.options.type !== 'postgres';
}
