import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

const TABLE = 'catalog_members';
const ADDED = 'catalog_members_added';
const WENT = 'catalog_members_went';

/** Differences of the catalog zone are found by the serials with which members came and went, instead of among all members. */
export class FindChangedMembers1763980000000 implements MigrationInterface {
  readonly name = 'FindChangedMembers1763980000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createIndex(TABLE, new TableIndex({ name: ADDED, columnNames: ['added_serial'] }));
    const where = 'removed_serial IS NOT NULL';
    await runner.createIndex(TABLE, new TableIndex({ name: WENT, columnNames: ['removed_serial'], where }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex(TABLE, WENT);
    await runner.dropIndex(TABLE, ADDED);
  }
}
