import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Zones whose records are stored under another id than their own, and large changes that are written ahead. */
export class ExpandMovedContents1764470000000 implements MigrationInterface {
  readonly name = 'ExpandMovedContents1764470000000';

  async up(runner: QueryRunner): Promise<void> {
    const id = (name: string, isPrimary = false) => {
      const key = isPrimary ? { isPrimary } : {};
      return { name, type: 'varchar', length: '36', ...key, ...bytewiseOn(runner) };
    };
    const indices = [{ name: 'moved_contents_by_id', columnNames: ['contents'], isUnique: true }];
    const columns = [id('zone', true), id('contents')];
    await runner.createTable(new Table({ name: 'moved_contents', columns, indices, withoutRowid: true }));
    await runner.createTable(
      new Table({
        name: 'staged_changes',
        columns: [
          id('contents_id', true),
          id('zone_id'),
          { name: 'version', type: 'bigint' },
          { name: 'changed_at', type: 'bigint' },
          id('change_id'),
        ],
        withoutRowid: true,
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('staged_changes');
    await runner.dropTable('moved_contents');
  }
}
