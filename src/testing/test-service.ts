import { setTimeout as delay } from 'node:timers/promises';
import type { RunningService } from '../app/server.js';
import type { ConfigSource } from '../config/load-config.js';
import type { Services } from '../plugins/command.js';
import type { ZonewrightPlugin } from '../plugins/plugin.js';
import { newTestClient, type TestClient } from './test-client.js';
import { type TestConfig, testEnvironment } from './test-config.js';
import { newTestDatabase } from './test-database.js';

/** What the service of a test consists of. */
export interface TestServiceOptions {
  readonly plugins?: readonly ZonewrightPlugin[];
  /**
   * Options beside those of a test service: a free port of 127.0.0.1, `auth_strategy = noauth`, and limits that no test
   * reaches. Neither a configuration file nor the environment of the process is read.
   */
  readonly config?: TestConfig;
  /** A PostgreSQL server on which the service is given a new database, `postgresql://…`; without it, a SQLite file. */
  readonly database?: string;
}

/** The real service in this process, with a database of its own. `get` finds its services by their classes. */
export interface TestService extends Services {
  /** `http://127.0.0.1:41234` */
  readonly url: string;
  /** Where name servers are answered, with `[service:mdns] enabled`. */
  readonly dnsUrl: string | null;
  /** Requests without a credential; `client.as({ tenant: 'acme' })` has one. */
  readonly client: TestClient;
  /** Stops it and removes its database. May be called twice. */
  close(): Promise<void>;
}

/**
 * Starts the service with plugins, and returns when it is ready for requests.
 * @throws ConfigError for an option that is not allowed, and for plugins that do not go together
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

/** Loaded here, because the test of a record type needs nothing of it. */
async function start(plugins: readonly ZonewrightPlugin[], source: ConfigSource): Promise<RunningService> {
  const { composeConfigured } = await import('../app/composition/compose.js');
  const { startService } = await import('../app/server.js');
  return startService(await composeConfigured(plugins, source));
}

/** In milliseconds. */
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
