import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A database that nobody else uses, and a folder for whatever stands beside it. */
export interface TestDatabase {
  readonly url: string;
  readonly folder: string;
  /** Removes both. */
  readonly remove: () => Promise<void>;
}

/**
 * A SQLite file, or a new database on the PostgreSQL server of that URL, whose user must be allowed to make one.
 * @throws Error when the server cannot be asked, and for a URL of something else
 */
export async function newTestDatabase(server?: string): Promise<TestDatabase> {
  if (server !== undefined && !/^postgres(ql)?:/.test(server))
    throw new Error(`${JSON.stringify(server)} is not the URL of a PostgreSQL server: leave it out for a SQLite file`);
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-test-'));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  if (server === undefined) return { url: `sqlite:${join(folder, 'test.sqlite')}`, folder, remove: removeFolder };
  const name = `zonewright_test_${randomBytes(8).toString('hex')}`;
  try {
    await runOn(server, `CREATE DATABASE ${name}`);
  } catch (error) {
    await removeFolder();
    throw error;
  }
  const url = new URL(server);
  url.pathname = name;
  const remove = async (): Promise<void> => {
    await removeFolder();
    await runOn(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  return { url: url.href, folder, remove };
}

async function runOn(server: string, statement: string): Promise<void> {
  // SQLite has no use for it.
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
