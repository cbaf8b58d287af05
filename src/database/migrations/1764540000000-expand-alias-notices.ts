import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Facts about targets of ALIAS records, and the zones that have been told. */
export class ExpandAliasNotices1764540000000 implements MigrationInterface {
  readonly name = 'ExpandAliasNotices1764540000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      'ALTER TABLE alias_targets ADD COLUMN notices integer NOT NULL DEFAULT 0',
      'ALTER TABLE alias_targets ADD COLUMN noticed_at bigint',
      'ALTER TABLE alias_targets ADD COLUMN untold integer NOT NULL DEFAULT 0',
      'ALTER TABLE alias_owners ADD COLUMN told integer NOT NULL DEFAULT 0',
      'CREATE INDEX alias_targets_untold ON alias_targets (fingerprint, zone_id) WHERE untold > 0',
      'CREATE INDEX alias_owners_told ON alias_owners (fingerprint, target_zone_id, told, zone_id, owner_key)',
    ])
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      'DROP INDEX alias_owners_told',
      'DROP INDEX alias_targets_untold',
      'ALTER TABLE alias_owners DROP COLUMN told',
      ...['untold', 'noticed_at', 'notices'].map((column) => `ALTER TABLE alias_targets DROP COLUMN ${column}`),
    ])
      await runner.query(statement);
  }
}
