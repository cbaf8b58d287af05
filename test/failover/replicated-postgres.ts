import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Daemon } from '../support/name-servers/daemon.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { childrenOf } from '../support/process.js';
import { type Program, run } from '../support/run-program.js';
import { until } from '../support/until.js';

/** Debian has a folder for each version and keeps server programs outside PATH. */
const VERSIONS = '/usr/lib/postgresql';
const NEWEST = existsSync(VERSIONS)
  ? (readdirSync(VERSIONS).sort((one, other) => Number(other) - Number(one))[0] ?? '')
  : '';
export const PROGRAMS = join(VERSIONS, NEWEST, 'bin');

/** PostgreSQL of Debian: the one in node_modules cannot copy itself. */
export const REPLICATED_POSTGRES: Program = {
  name: 'PostgreSQL with replication',
  needs: { [join(PROGRAMS, 'pg_basebackup')]: 'postgresql' },
};

/** A command that is not run as root, which PostgreSQL and PgBouncer refuse. It ends with us, however we end. */
export function asPostgres(program: string, ...parameters: readonly string[]): readonly [string, ...string[]] {
  const user = process.getuid?.() === 0 ? ['--reuid=postgres', '--regid=postgres', '--init-groups'] : [];
  return ['setpriv', ...user, '--pdeathsig=KILL', program, ...parameters];
}

const ROLE = 'zonewright';
const PASSWORD = 'secret';
const PATIENCE = 20_000;

/** The result of one statement on one server. */
export async function askPostgres<Row extends object>(
  port: number,
  sql: string,
  database = 'postgres',
): Promise<Row[]> {
  const connectionString = `postgresql://postgres@127.0.0.1:${port}/${database}`;
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2000 });
  // Killing a server breaks the connection apart from its response.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export async function isPrimary(port: number): Promise<boolean> {
  try {
    const [answer] = await askPostgres<{ standby: boolean }>(port, 'SELECT pg_is_in_recovery() AS standby');
    return answer?.standby === false;
  } catch {
    return false;
  }
}

/** Settings of one server in addition to the common ones. */
type Settings = readonly string[];

/** Makes a standby follow another server, as a cluster manager does; without a port it follows no server. */
export async function follow(standby: number, primary: number): Promise<void> {
  const to = `user=postgres host=127.0.0.1 port=${primary}`;
  await askPostgres(standby, `ALTER SYSTEM SET primary_conninfo = '${to}'`);
  await askPostgres(standby, 'SELECT pg_reload_conf()');
}

/** Runs like the Debian package but without fsync: tests kill a process, and its directory is discarded. */
export class PostgresServer {
  readonly daemon: Daemon;

  constructor(
    readonly data: string,
    readonly port: number,
    own: Settings = [],
  ) {
    const settings = ['fsync=off', 'max_connections=100', 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
    const options = [...settings, ...own].flatMap((setting) => ['-c', setting]);
    const command = asPostgres(join(PROGRAMS, 'postgres'), '-D', data, '-p', String(port), ...options);
    const answers = (): Promise<boolean> =>
      askPostgres(port, 'SELECT 1').then(
        () => true,
        () => false,
      );
    this.daemon = new Daemon(command, answers, PATIENCE);
  }

  /** Kills all its processes, as when its machine fails. */
  async kill(): Promise<void> {
    const { pid } = this.daemon;
    process.kill(pid, 'SIGSTOP');
    const backends = childrenOf(pid);
    const ended = this.daemon.stop('SIGKILL');
    for (const backend of backends) process.kill(backend, 'SIGKILL');
    await ended;
  }

  /** Stops responding, as behind a cut line. Returns the undo function. */
  silence(): () => void {
    const { pid } = this.daemon;
    const processes = [pid, ...childrenOf(pid)];
    for (const one of processes) process.kill(one, 'SIGSTOP');
    return () => {
      for (const one of processes) process.kill(one, 'SIGCONT');
    };
  }

  /** Received WAL stays invisible until replay resumes. */
  async pauseReplay(): Promise<void> {
    await askPostgres(this.port, 'SELECT pg_wal_replay_pause()');
  }

  async resumeReplay(): Promise<void> {
    await askPostgres(this.port, 'SELECT pg_wal_replay_resume()');
  }
}

/** A primary and a standby that has each commit before it is answered. */
export class ReplicatedPostgres {
  private copies = 0;
  private readonly readers: PostgresServer[] = [];
  private standby: PostgresServer | null = null;
  /** Free again: that of a server that was killed. */
  private spare: number | null = null;

  private constructor(
    private readonly directory: string,
    private primary: PostgresServer,
  ) {}

  static async start(): Promise<ReplicatedPostgres> {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-failover-'));
    await chmod(directory, 0o777);
    const primary = new PostgresServer(join(directory, 'first'), await freePort());
    await runPostgres(
      'initdb',
      '--no-sync',
      '--encoding=UTF8',
      '--locale=C',
      '--auth=trust',
      '-U',
      'postgres',
      primary.data,
    );
    await primary.daemon.start();
    await askPostgres(primary.port, `CREATE ROLE ${ROLE} LOGIN PASSWORD '${PASSWORD}'`);
    const cluster = new ReplicatedPostgres(directory, primary);
    await cluster.addStandby();
    return cluster;
  }

  get primaryPort(): number {
    return this.primary.port;
  }

  get standbyPort(): number {
    return this.follower.port;
  }

  /** Whether none has taken over since the last was added. */
  get hasStandby(): boolean {
    return this.standby !== null;
  }

  private get follower(): PostgresServer {
    if (this.standby === null) throw new Error('the cluster has no standby');
    return this.standby;
  }

  async createDatabase(name: string): Promise<void> {
    await askPostgres(this.primary.port, `CREATE DATABASE ${name} OWNER ${ROLE}`);
  }

  /** The URL that a service is given which reaches the server at this port. */
  urlAt(port: number, database: string): string {
    return this.urlOf([port], database);
  }

  /** A multi-host URL. */
  urlOf(ports: readonly number[], database: string): string {
    return `postgresql://${ROLE}:${PASSWORD}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${database}`;
  }

  /** A copy that follows the primary, to be read. Commits need not wait for it. */
  async addReader(...settings: Settings): Promise<PostgresServer> {
    const reader = new PostgresServer(await this.copyPrimary(), await freePort(), settings);
    this.readers.push(reader);
    await reader.daemon.start();
    return reader;
  }

  /** Copies the primary, at the port of a server that was killed, and has commits wait for the copy. */
  async addStandby(): Promise<void> {
    const data = await this.copyPrimary();
    // After the promotion no standby exists to wait for.
    await appendFile(join(data, 'postgresql.auto.conf'), "synchronous_standby_names = ''\n");
    this.standby = new PostgresServer(data, this.spare ?? (await freePort()));
    await this.standby.daemon.start();
    await askPostgres(this.primary.port, "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await askPostgres(this.primary.port, 'SELECT pg_reload_conf()');
    await until(() => this.isSynchronous(), PATIENCE);
  }

  /** Fails the primary as by a power cut. Its data is discarded, since it must not be used again. */
  killPrimary(): Promise<void> {
    return this.primary.kill();
  }

  /** Restarts it with its data. */
  startPrimary(): Promise<void> {
    return this.primary.daemon.start();
  }

  /** Promotes the standby as a cluster manager does. Resolves when it accepts writes. */
  async promoteStandby(): Promise<void> {
    const { port, data } = this.primary;
    await askPostgres(this.follower.port, 'SELECT pg_promote(true, 20)');
    this.primary = this.follower;
    this.standby = null;
    this.spare = port;
    await rm(data, { recursive: true });
  }

  /** It is away, and commits wait for it. */
  stopStandby(): Promise<void> {
    return this.follower.daemon.stop('SIGINT');
  }

  async startStandby(): Promise<void> {
    await this.follower.daemon.start();
    await until(() => this.isSynchronous(), PATIENCE);
  }

  /** Stops commits from waiting for the standby, as an operator may. Returns how many did. */
  async cancelWaitingCommits(): Promise<number> {
    const waiting = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    return (await askPostgres(this.primary.port, waiting)).length;
  }

  async remove(): Promise<void> {
    for (const reader of this.readers) await reader.daemon.stop('SIGQUIT');
    await this.standby?.daemon.stop('SIGQUIT');
    await this.primary.daemon.stop('SIGQUIT');
    await rm(this.directory, { recursive: true, force: true });
  }

  private async copyPrimary(): Promise<string> {
    const data = join(this.directory, `copy${(this.copies += 1)}`);
    const from = ['-h', '127.0.0.1', '-p', String(this.primary.port), '-U', 'postgres'];
    await runPostgres(
      'pg_basebackup',
      ...from,
      '-D',
      data,
      '-R',
      '--no-sync',
      '--checkpoint=fast',
      '--wal-method=stream',
    );
    return data;
  }

  private async isSynchronous(): Promise<boolean> {
    const standbys = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
    return (await askPostgres(this.primary.port, standbys)).length > 0;
  }
}

export function runPostgres(program: string, ...parameters: readonly string[]): Promise<void> {
  return runAsPostgres(join(PROGRAMS, program), ...parameters);
}

/** Files that the program creates belong to the PostgreSQL user. */
export async function runAsPostgres(program: string, ...parameters: readonly string[]): Promise<void> {
  const [command, ...rest] = asPostgres(program, ...parameters);
  const { failed, output } = await run(command, rest);
  if (failed) throw new Error(`${program} failed: ${output}`);
}
