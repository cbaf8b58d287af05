import { rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { loadSqlite } from '../../dist/src/database/sqlite/sqlite-driver.js';
import { stop } from '../processes.mjs';
import { startPostgres } from '../servers/postgres.mjs';
import { startZonewright } from '../servers/zonewright.mjs';

const FILE = 'bench.sqlite';
const NAME = 'bench';
export const CATALOG = 'catalog.example.';
export const KEY = { name: 'width.', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 7).toString('base64') };

/** The service on the database of a directory, created if missing; `end` leaves it ready for a copy. */
export async function startOn(kind, directory, { primary, ports }) {
  const database = kind === 'sqlite' ? null : await startPostgres(path.join(directory, 'postgres'));
  try {
    const service = await startZonewright({
      name: 'Zonewright',
      directory,
      databaseUrl: await databaseOn(database),
      core: null,
      settings: {
        ZONEWRIGHT_SERVICE_MDNS__ENABLED: 'True',
        ZONEWRIGHT_SERVICE_MDNS__LISTEN: `127.0.0.1:${primary}`,
        ZONEWRIGHT_SERVICE_MDNS__SECONDARIES: ports.map((port) => `127.0.0.1:${port}`).join(','),
        ZONEWRIGHT_SERVICE_MDNS__TSIG_KEYS: `${KEY.name}:${KEY.algorithm}:${KEY.secret}`,
        ZONEWRIGHT_SERVICE_MDNS__CATALOG_ZONE: CATALOG,
      },
    });
    return {
      service,
      end: async ({ child }) => {
        await stop(child);
        await database?.stop();
      },
    };
  } catch (error) {
    await database?.stop();
    throw error;
  }
}

/** Direct access to the database of a directory, while no service runs on it; `work` gets its kind, `rows` and `run`. */
export async function inDatabase(kind, directory, work) {
  return kind === 'sqlite'
    ? inFile(path.join(directory, FILE), work)
    : inServer(path.join(directory, 'postgres'), work);
}

async function inFile(file, work) {
  const SqliteDatabase = loadSqlite();
  const database = new SqliteDatabase(file);
  try {
    database.pragma('cache_size = -500000');
    const runAll = database.transaction((statements) => statements.forEach((sql) => database.exec(sql)));
    await work({ kind: 'sqlite', rows: (sql) => database.prepare(sql).all(), run: runAll });
  } finally {
    database.close();
  }
}

async function inServer(directory, work) {
  const server = await startPostgres(directory);
  try {
    pg.types.setTypeParser(pg.types.builtins.INT8, Number);
    const client = await server.client(NAME);
    await work({
      kind: 'postgres',
      rows: async (sql) => (await client.query(sql)).rows,
      run: (statements) => client.query(['BEGIN', ...statements, 'COMMIT'].join(';')),
    });
    // As autovacuum would have, had the rows come one by one.
    await client.query('VACUUM ANALYZE');
    await client.end();
  } finally {
    await server.stop();
  }
}

export function remove(directory) {
  return rm(directory, { recursive: true, force: true });
}

async function databaseOn(server) {
  if (server === null) return `sqlite:${FILE}`;
  if (!(await server.hasDatabase(NAME))) await server.createDatabase(NAME);
  return server.url(NAME);
}
