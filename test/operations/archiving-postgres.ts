import { appendFile, chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askPostgres, isPrimary, PostgresServer, runAsPostgres, runPostgres } from '../failover/replicated-postgres.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { until } from '../support/until.js';

const DATABASE = 'zonewright';

/** PostgreSQL whose log is archived, set up as docs/operating/restoring.md has it. */
export class ArchivingPostgres {
  private constructor(
    private readonly directory: string,
    private server: PostgresServer,
  ) {}

  static async start(): Promise<ArchivingPostgres> {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-archive-'));
    await chmod(directory, 0o777);
    await mkdir(join(directory, 'archive'));
    await chmod(join(directory, 'archive'), 0o777);
    const server = new PostgresServer(join(directory, 'data'), await freePort());
    const locale = ['--encoding=UTF8', '--locale=C', '--auth=trust', '-U', 'postgres'];
    await runPostgres('initdb', '--no-sync', ...locale, server.data);
    const archive = `test ! -f ${directory}/archive/%f && cp %p ${directory}/archive/%f`;
    await appendFile(join(server.data, 'postgresql.auto.conf'), `archive_mode = on\narchive_command = '${archive}'\n`);
    await server.daemon.start();
    await askPostgres(server.port, `CREATE DATABASE ${DATABASE}`);
    return new ArchivingPostgres(directory, server);
  }

  get url(): string {
    return `postgresql://postgres@127.0.0.1:${this.server.port}/${DATABASE}`;
  }

  /** A copy of all files, from which the archive leads on. */
  async copy(): Promise<void> {
    const from = ['-h', '127.0.0.1', '-p', String(this.server.port), '-U', 'postgres'];
    await runPostgres('pg_basebackup', ...from, '-D', join(this.directory, 'base'), '--no-sync', '--checkpoint=fast');
  }

  /** The time of the server, which a restore leads back to. */
  async moment(): Promise<string> {
    const [now] = await askPostgres<{ at: string }>(this.server.port, 'SELECT clock_timestamp()::text AS at');
    return now!.at;
  }

  /** Loses the server; the archive stays. */
  async lose(): Promise<void> {
    const [{ file }] = (await askPostgres<{ file: string }>(
      this.server.port,
      'SELECT pg_walfile_name(pg_switch_wal()) AS file',
    )) as [{ file: string }];
    await until(async () => (await readdir(join(this.directory, 'archive'))).includes(file));
    await this.server.kill();
    await rm(this.server.data, { recursive: true });
  }

  /** @param moment a result of `moment` */
  async restoreTo(moment: string): Promise<void> {
    const server = new PostgresServer(join(this.directory, 'restored'), await freePort());
    await runAsPostgres('cp', '-a', join(this.directory, 'base'), server.data);
    const settings = [
      `restore_command = 'cp ${this.directory}/archive/%f %p'`,
      `recovery_target_time = '${moment}'`,
      "recovery_target_action = 'promote'",
    ];
    await appendFile(join(server.data, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
    await runAsPostgres('touch', join(server.data, 'recovery.signal'));
    await server.daemon.start();
    this.server = server;
    await until(() => isPrimary(server.port));
  }

  async remove(): Promise<void> {
    await this.server.daemon.stop('SIGQUIT');
    await rm(this.directory, { recursive: true, force: true });
  }
}
