import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import { audit } from '../support/audit.js';
import { newDomain } from '../support/domain.js';
import { Daemon } from '../support/name-servers/daemon.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { DEBIAN_POSTGRES, type DebianPostgres, startDebianPostgres } from '../support/postgres/debian.js';
import { runService } from '../support/process.js';
import { isInstalled, itWith, type Program, run } from '../support/run-program.js';
import { environmentOf, startTestService } from '../support/service.js';
import { asPostgres } from './replicated-postgres.js';

const PGBOUNCER: Program = { name: 'PgBouncer', needs: { pgbouncer: 'pgbouncer', ...DEBIAN_POSTGRES.needs } };
let directory: string;
let server: DebianPostgres;
let pooler: Daemon | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-pgbouncer-'));
  await chmod(directory, 0o755);
  if (isInstalled(PGBOUNCER)) server = await startDebianPostgres();
});
afterEach(() => pooler?.stop());
afterAll(async () => {
  if (isInstalled(PGBOUNCER)) await server.remove();
  await rm(directory, { recursive: true });
});

/** A new database behind PgBouncer, as docs/operating/postgresql.md configures it but for the mode. Returns its URLs. */
async function startPooler(mode: 'session' | 'transaction'): Promise<{ pooled: string; direct: string }> {
  const direct = Object.assign(new URL(server.url), { pathname: mode });
  const created = await run('createdb', [
    '--maintenance-db',
    server.url,
    '--encoding',
    'UTF8',
    '--template',
    'template0',
    mode,
  ]);
  expect(created.output).toBe('');
  const { username, password, port } = direct;
  const listen = await freePort();
  const users = join(directory, 'users');
  await writeFile(users, `"${username}" "${password}"\n`);
  const file = join(directory, `${mode}.ini`);
  await writeFile(
    file,
    `[databases]
${mode} = host=127.0.0.1 port=${port}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 30
`,
  );
  const daemon: Daemon = new Daemon(asPostgres('pgbouncer', file), () =>
    Promise.resolve(daemon.log.includes('process up')),
  );
  pooler = daemon;
  await daemon.start();
  const pooled = Object.assign(new URL(direct), { port: listen });
  return { pooled: pooled.href, direct: direct.href };
}

describe('PgBouncer in front of PostgreSQL', () => {
  itWith(PGBOUNCER)('in session mode is not noticed', async () => {
    const { pooled, direct } = await startPooler('session');
    const service = await startTestService({ DATABASE__URL: pooled }, directory);
    try {
      const domains = await Promise.all([1, 2, 3, 4].map(() => newDomain(service)));
      const labels = Array.from({ length: 40 }, (_, at) => `h${at}`);
      for (const domain of domains)
        await Promise.all(labels.map((label) => domain.newRecord({ name: domain.at(label) })));
      for (const domain of domains) expect(await domain.records()).toHaveLength(labels.length);
    } finally {
      await service.stop();
    }
    audit(direct);
  });

  itWith(PGBOUNCER)('in transaction mode keeps the service from starting, and the line says why', async () => {
    const { pooled } = await startPooler('transaction');
    const { host } = new URL(pooled);
    const { code, stderr } = await runService(directory, environmentOf(directory, { DATABASE__URL: pooled }));
    const reason = 'a connection pooler gives every transaction another session: it must work in session mode';
    const line = `zonewright: cannot use the database postgresql://${host}/transaction: ${reason}\n`;
    expect({ code, stderr }).toEqual({ code: 1, stderr: line });
  });
});
