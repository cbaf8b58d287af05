import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Signatures of KSKs that are kept offline. */
export class ExpandKeySignatures1764580000000 implements MigrationInterface {
  readonly name = 'ExpandKeySignatures1764580000000';

  async up(runner: QueryRunner): Promise<void> {
    const key = { isPrimary: true, primaryKeyConstraintName: 'key_signatures_key' };
    await runner.createTable(
      new Table({
        name: 'key_signatures',
        columns: [
          { name: 'zone_id', type: 'varchar', length: '36', ...key, ...bytewiseOn(runner) },
          { name: 'type', type: 'integer', ...key },
          { name: 'digest', type: 'varchar', length: '24', ...key, ...bytewiseOn(runner) },
          { name: 'tag', type: 'integer', ...key },
          { name: 'inception', type: 'bigint', ...key },
          { name: 'expiration', type: 'bigint' },
          { name: 'rrsig', type: 'text' },
        ],
      }),
    );
    await runner.query('ALTER TABLE zone_signing ADD COLUMN key_ttl integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE zone_signing DROP COLUMN key_ttl');
    await runner.dropTable('key_signatures');
  }
}
