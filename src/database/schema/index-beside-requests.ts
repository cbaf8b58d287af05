import type { QueryRunner } from 'typeorm';

/**
 * Makes an index while others write to its table, in a migration without a transaction. A new schema is made in one
 * transaction, in which PostgreSQL makes no index concurrently; nobody waits for it either.
 */
export async function makeIndexBesideRequests(runner: QueryRunner, name: string, columns: string): Promise<void> {
  const isBesideRequests = !runner.isTransactionActive;
  const how = isBesideRequests && isPostgres(runner) ? ' CONCURRENTLY' : '';
  // A run that was interrupted has left one behind that is not used, or that nobody has noted.
  if (isBesideRequests) await runner.query(`DROP INDEX${how} IF EXISTS ${name}`);
  await runner.query(`CREATE INDEX${how} ${name} ON ${columns}`);
}

export function isPostgres(runner: QueryRunner): boolean {
  return runner.dataSource.options.type === 'postgres';
}
