import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { audit } from '../support/audit.js';
import { connectionsTo } from '../support/postgres/databases.js';
import { databaseFileIn, environmentOf, removeTestData, type Settings } from '../support/service.js';
import { isPostgresUrl, lookInto } from '../support/stored.js';

/** The database under the harness: all that it has to know of it. */
export interface Store {
  /** Where the service runs, and the environment that lets it find the database. */
  readonly directory: string;
  readonly env: Record<string, string>;
  /** Resolves when the database has finished the pending work of the killed service. */
  settled(): Promise<void>;
  /** Checks the invariants of the database. */
  audit(): Promise<void>;
  /** How many rows the journal has for each request. */
  journal(): Promise<ReadonlyMap<string, number>>;
  remove(): Promise<void>;
}

const SETTINGS = { SERVICE_API__ENABLE_API_ADMIN: 'True', SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas' };

export async function openStore(settings: Settings): Promise<Store> {
  const directory = await mkdtemp(join(tmpdir(), 'zonewright-crash-'));
  const database = databaseFileIn(directory);
  return {
    directory,
    env: environmentOf(directory, { ...SETTINGS, ...settings }),
    settled: () => settled(database),
    audit: async () => audit(database),
    journal: async () => journalOf(database),
    remove: () => removeTestData(directory),
  };
}

/** PostgreSQL finishes a received statement, such as COMMIT, before it notices the lost connection. */
async function settled(database: string): Promise<void> {
  while (isPostgresUrl(database) && connectionsTo(database) > 0) await delay(10);
}

function journalOf(database: string): ReadonlyMap<string, number> {
  const rows = lookInto(database, (stored) =>
    stored.rows<{ request_id: string; count: number }>(
      'SELECT request_id, COUNT(*) AS count FROM journal GROUP BY request_id',
    ),
  );
  return new Map(rows.map(({ request_id: requestId, count }) => [requestId, count]));
}
