import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { audit } from '../support/audit.js';
import { databaseFileIn, environmentOf } from '../support/service.js';

/** The database under the harness: all that it has to know of it. */
export interface Store {
  /** Where the service runs, and the environment that lets it find the database. */
  readonly directory: string;
  readonly env: Record<string, string>;
  /** Everything that must be true whatever happened. */
  audit(): Promise<void>;
  /** How many rows the journal has for each request. */
  journal(): Promise<ReadonlyMap<string, number>>;
  remove(): Promise<void>;
}

const SETTINGS = { SERVICE_API__ENABLE_API_ADMIN: 'True', SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas' };

export async function sqliteStore(): Promise<Store> {
  const directory = await mkdtemp(join(tmpdir(), 'zonewright-crash-'));
  return {
    directory,
    env: environmentOf(directory, SETTINGS),
    audit: async () => audit(databaseFileIn(directory)),
    journal: async () => journalOf(databaseFileIn(directory)),
    remove: () => rm(directory, { recursive: true }),
  };
}

function journalOf(file: string): ReadonlyMap<string, number> {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const rows = database.prepare('SELECT request_id, COUNT(*) FROM journal GROUP BY request_id').raw().all();
    return new Map(rows as [string, number][]);
  } finally {
    database.close();
  }
}
