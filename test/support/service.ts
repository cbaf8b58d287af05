import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogLevel } from '@nestjs/common';
import request, { type Test } from 'supertest';
import { compose } from '../../src/app/composition/compose.js';
import { type RunningService, startService } from '../../src/app/server.js';
import type { ZonewrightPlugin } from '../../src/plugins/plugin.js';
import { testEnvironment } from '../../src/testing/test-config.js';
import { assertDescribed } from './described-answers.js';
import { dropPostgresDatabase, ON_POSTGRES, postgresDatabaseOf, provideSchema } from './postgres/databases.js';

export const ADMIN_TOKEN = 'an-admin-token-for-tests';

/** A caller: one tenant with its roles. */
export interface Client {
  /** A request that is JSON where it carries a body. */
  call(method: Method, path: string, body?: unknown): Test;
}

/** Requests to a service, as the admin unless the test says otherwise. */
export interface Clients extends Client {
  readonly url: string;
  /** A request with only the headers that the test adds. */
  plain(method: Method, path: string): Test;
  /** A request as a member of another tenant, unless other roles are named. */
  as(tenantId: string, ...roles: string[]): Client;
}

export interface TestService extends Clients {
  readonly running: RunningService;
  readonly databaseFile: string;
  stop(): Promise<void>;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options';

/** Tests provoke warnings, so the log stays hidden unless enabled. */
const SHOWN: readonly LogLevel[] = process.env.ZONEWRIGHT_TEST_LOG === 'warn' ? ['error', 'warn'] : ['error'];

/** Options of the configuration as the environment names them: `{ SERVICE_API__DOCS: 'False' }`. */
export type Settings = Readonly<Record<string, string>>;

/**
 * The real application on a free port with a new database; noauth, so that a test can act as any tenant. A directory
 * given by the test is used as found, and kept.
 */
export async function startTestService(
  settings: Settings = {},
  directory?: string,
  plugins: readonly ZonewrightPlugin[] = [],
): Promise<TestService> {
  const place = directory ?? (await mkdtemp(join(tmpdir(), 'zonewright-')));
  // Migrations of plugins are run on a schema as it is being made.
  if (directory === undefined && plugins.length === 0) provideSchema(place);
  const composition = compose(plugins, { env: environmentOf(place, settings), cwd: place });
  const running = await startService(composition, { logger: [...SHOWN] });
  return {
    ...clientsOf(running.url),
    running,
    databaseFile: databaseFileIn(place),
    stop: async () => {
      await running.stop();
      if (directory === undefined) await removeTestData(place);
    },
  };
}

/** The database file of a test, or its PostgreSQL URL, for `audit` and similar functions. */
export function databaseFileIn(directory: string): string {
  return ON_POSTGRES ? postgresDatabaseOf(directory) : join(directory, 'test.sqlite');
}

export async function removeTestData(directory: string): Promise<void> {
  if (ON_POSTGRES) dropPostgresDatabase(postgresDatabaseOf(directory));
  await rm(directory, { recursive: true, force: true });
}

/** The environment that configures a service for a test: loopback, noauth, a database file in `directory`. */
export function environmentOf(directory: string, settings: Settings = {}): Record<string, string> {
  const url = ON_POSTGRES ? databaseFileIn(directory) : `sqlite:${databaseFileIn(directory)}`;
  const own = Object.entries(settings).map(([option, value]) => [`ZONEWRIGHT_${option}`, value] as const);
  return { ...testEnvironment(url), ...Object.fromEntries(own) };
}

export function clientsOf(url: string): Clients {
  const plain = (method: Method, path: string): Test => {
    const test = request(url)[method](path);
    return path.startsWith('/v2') ? test.expect((answer) => assertDescribed(method, path, answer)) : test;
  };
  const as = (tenantId: string, ...roles: string[]): Client => ({
    call: (method, path, body) =>
      withBody(plain(method, path), body)
        .set('X-Auth-Project-ID', tenantId)
        .set('X-Roles', roles.length > 0 ? roles.join(',') : 'member'),
  });
  return { url, plain, as, call: (method, path, body) => as('tenant-a', 'admin').call(method, path, body) };
}

function withBody(test: Test, body: unknown): Test {
  if (body === undefined) return test;
  return test.set('Content-Type', 'application/json').send(typeof body === 'string' ? body : JSON.stringify(body));
}
