import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { selfSignedCertificate } from '../support/certificate.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { queryPostgres } from '../support/postgres/databases.js';
import { DEBIAN_POSTGRES, type DebianPostgres, startDebianPostgres } from '../support/postgres/debian.js';
import { runService, startServiceProcess } from '../support/process.js';
import { isInstalled, itWith, run } from '../support/run-program.js';
import { environmentOf } from '../support/service.js';
import { until } from '../support/until.js';

let directory: string;
let server: DebianPostgres;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-protected-'));
  await chmod(directory, 0o755);
  if (!isInstalled(DEBIAN_POSTGRES)) return;
  server = await startDebianPostgres();
  await protect(server);
});
afterAll(async () => {
  if (isInstalled(DEBIAN_POSTGRES)) await server.remove();
  await rm(directory, { recursive: true });
});

/** Has the server show a certificate for `localhost` from now on. */
async function protect({ url }: DebianPostgres): Promise<void> {
  const { key, cert } = selfSignedCertificate('localhost');
  const file = join(directory, 'server');
  await writeFile(`${file}.crt`, cert);
  await writeFile(`${file}.key`, key, { mode: 0o600 });
  await run('chown', ['postgres', `${file}.key`]);
  queryPostgres(url, `ALTER SYSTEM SET ssl_cert_file = '${file}.crt'`);
  queryPostgres(url, `ALTER SYSTEM SET ssl_key_file = '${file}.key'`);
  queryPostgres(url, 'ALTER SYSTEM SET ssl = on');
  queryPostgres(url, 'SELECT pg_reload_conf()');
  await until(
    async () => queryPostgres(url, "SELECT 1 FROM pg_settings WHERE name = 'ssl' AND setting = 'on'").length > 0,
  );
}

/** One that is dead, and then the server, which has to prove itself by this certificate. */
async function settingsTrusting(certificate: string): Promise<Record<string, string>> {
  const several = server.url.replace('127.0.0.1', `localhost:${await freePort()},localhost`);
  const url = `${several}?sslmode=verify-full&sslrootcert=${certificate}`;
  return environmentOf(directory, { DATABASE__URL: url });
}

describe('18.7 user, password and TLS of a URL with several servers', () => {
  itWith(DEBIAN_POSTGRES)('include the files of each standby', async () => {
    const service = await startServiceProcess(directory, await settingsTrusting(join(directory, 'server.crt')));
    const sessions = `
      SELECT s.ssl FROM pg_stat_activity a JOIN pg_stat_ssl s USING (pid) WHERE a.application_name = 'zonewright'`;
    const protectedOnes = queryPostgres(server.url, sessions);
    expect(protectedOnes.length).toBeGreaterThan(0);
    expect(protectedOnes.filter((row) => !(row as { ssl: boolean }).ssl)).toEqual([]);
    service.signal('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
  });

  itWith(DEBIAN_POSTGRES)('keep the service from a foreign server', async () => {
    const other = join(directory, 'other.crt');
    await writeFile(other, selfSignedCertificate('localhost').cert);
    const { code, stderr } = await runService(directory, await settingsTrusting(other));
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no server of the URL is a primary'),
    });
    expect(stderr).toMatch(/cannot be asked \((self-signed certificate|unable to verify).*\)\n$/);
    expect(stderr).not.toContain(new URL(server.url).password);
  });
});
