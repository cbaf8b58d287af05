import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Allows large changes to store the records of a zone under another id. Release 1.0.0 looks for them under the id of the
 * zone. Nothing but that promise is removed.
 */
export class ContractOwnContents1764480000000 implements MigrationInterface {
  readonly name = 'ContractOwnContents1764480000000';

  up(): Promise<void> {
    return Promise.resolve();
  }

  async down(runner: QueryRunner): Promise<void> {
    const moved = (await runner.query('SELECT zone FROM moved_contents LIMIT 1')) as unknown[];
    if (moved.length > 0) throw new Error('the records of a zone are stored under another id');
  }
}
