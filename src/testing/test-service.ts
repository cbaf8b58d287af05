import { setTimeout as delay } from 'node:timers/promises';
import type { RunningService } from '../app/server.js';
import type { ConfigSource } from '../config/load-config.js';
import type { Services } from '../plugins/command.js';
import type { ZonewrightPlugin } from '../plugins/plugin.js';
import { newTestClient, type TestClient } from './test-client.js';
import { type TestConfig, testEnvironment } from './test-config.js';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The parts of a test service. */
export interface TestServiceOptions {
  readonly plugins?: readonly ZonewrightPlugin[];
  /**
   * Options in addition to the defaults of a test service: a free port of 127.0.0.1, `auth_strategy = noauth`, and
   * limits that no test reaches. Ignores configuration files and the environment of the process.
   */
  readonly config?: TestConfig;
  /** A PostgreSQL server for a new database, `postgresql://…`; otherwise a SQLite file. */
  readonly database?: string;
}

/** The real service in this process, with its own database. `get` finds its services by their classes. */
export interface TestService extends Services {
  /** `http://127.0.0.1:41234` */
  readonly url: string;
  /** Address for name servers, with `[service:mdns] enabled`. */
  readonly dnsUrl: string | null;
  /** Sends requests without credentials; `client.as({ tenant: 'acme' })` adds them. */
  readonly client: TestClient;
  /** Stops it and removes its database. May be called twice. */
  close(): Promise<void>;
}

/**
 * Starts the service with plugins, and returns when it is ready for requests.
 * @throws ConfigError for an invalid option, and for conflicting plugins
 */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { plugins = [], config = {} } = options;
  const { url, folder, remove } = await newTestDatabase(options.database);
  let running: RunningService | null = null;
  const stop = async (): Promise<void> => {
    await running?.stop();
    await remove();
  };
  try {
    running = await start(plugins, { env: testEnvironment(url, config), cwd: folder });
    const service = running;
    const { url: address, dnsUrl } = service;
    const client = newTestClient(address);
    await waitUntilReady(client);
    let closing: Promise<void> | null = null;
    return { url: address, dnsUrl, client, get: (type) => service.get(type), close: () => (closing ??= stop()) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Imported here, since the test of a record type does not need it. */
async function start(plugins: readonly ZonewrightPlugin[], source: ConfigSource): Promise<RunningService> {
  const { composeConfigured } = await import('../app/composition/compose.js');
  const { startService } = await import('../app/server.js');
  return startService(await composeConfigured(plugins, source));
}

const TIME_LIMIT = 30_000;
const PAUSE = 20;

async function waitUntilReady(client: TestClient): Promise<void> {
  const deadline = performance.now() + TIME_LIMIT;
  for (;;) {
    const { status, text } = await client.get('/readyz');
    if (status === 200) return;
    if (performance.now() > deadline) throw new Error(`the service is not ready after ${TIME_LIMIT / 1000} s: ${text}`);
    await delay(PAUSE);
  }
}

/** A separate database, and a folder for related files. */
export interface TestDatabase {
  readonly url: string;
  readonly folder: string;
  /** Removes both. */
  readonly remove: () => Promise<void>;
}

/**
 * Creates a SQLite file, or a database on that PostgreSQL server, whose user needs CREATEDB.
 * @throws Error if the server is unreachable, or the URL is of another kind
 */
async function newTestDatabase(server?: string): Promise<TestDatabase> {
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
  // SQLite does not need it.
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
