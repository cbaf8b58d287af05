import { type MigrationInterface, type QueryRunner, TableColumn, TableIndex } from 'typeorm';

const TABLE = 'catalog_members';
const INDEX = 'catalog_members_kept';

/** Members of the catalog zone whose zone was abandoned: name servers go on serving it. */
export class KeepAbandonedMembers1763866000000 implements MigrationInterface {
  readonly name = 'KeepAbandonedMembers1763866000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn(TABLE, new TableColumn({ name: 'is_kept', type: 'integer', default: 0 }));
    await runner.createIndex(TABLE, new TableIndex({ name: INDEX, columnNames: ['name'], where: 'is_kept = 1' }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex(TABLE, INDEX);
    await runner.dropColumn(TABLE, 'is_kept');
  }
}
