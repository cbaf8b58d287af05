import { type MigrationInterface, type QueryRunner, TableColumn } from 'typeorm';

/** Up to which step a zone is known to be signed with targets in lower case; what releases before have signed is looked at. */
export class ExpandSignedSpelling1764030000000 implements MigrationInterface {
  readonly name = 'ExpandSignedSpelling1764030000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('zone_signing', new TableColumn({ name: 'folded_step', type: 'bigint', isNullable: true }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('zone_signing', 'folded_step');
  }
}
