import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import request from 'supertest';
import { Database } from '../support/sqlite.js';
import { temporaryDirectories } from '../support/directory.js';
import { runService, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { ON_POSTGRES } from '../support/postgres/databases.js';
import { databaseFileIn, environmentOf, type Settings, startTestService } from '../support/service.js';

const newDirectory = temporaryDirectories();

/** Faults that prevent a start, and the expected error line. */
const FAULTS: readonly [what: string, settings: Settings, line: RegExp][] = [
  ['an unknown option', { SERVICE_API__LISTNE: 'x' }, /unknown option "ZONEWRIGHT_SERVICE_API__LISTNE"; did you mean/],
  ['noauth on a public address', { SERVICE_API__LISTEN: '0.0.0.0:0' }, /noauth_on_public_address/],
  [
    'an unknown extension',
    { SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotaz' },
    /^ZONEWRIGHT_SERVICE_API__ENABLED_EXTENSIONS_ADMIN: \[service:api\] enabled_extensions_admin = "quotaz": there is no extension "quotaz"; did you mean quotas\? known: quotas, audit$/,
  ],
  [
    'an unknown record type',
    { DEFAULT__SUPPORTED_RECORD_TYPES: 'A, AAA' },
    /^ZONEWRIGHT_DEFAULT__SUPPORTED_RECORD_TYPES: \[DEFAULT\] supported_record_types = "A, AAA": there is no type "AAA"; did you mean AAAA\? known: A, /,
  ],
  [
    'an address that is not ours',
    { SERVICE_API__LISTEN: '192.0.2.1:9', SERVICE_API__NOAUTH_ON_PUBLIC_ADDRESS: 'True' },
    /cannot listen on 192\.0\.2\.1:9 \(EADDRNOTAVAIL\): set \[service:api\] listen/,
  ],
  ['a database that it may not make', { DATABASE__MIGRATE: 'False' }, /there is no database \S+: .*zonewright migrate/],
  [
    'a database below a file',
    { DATABASE__URL: 'sqlite:/dev/null/x.sqlite' },
    /cannot open the database \/dev\/null\/x/,
  ],
  [
    'a Keystone without an address',
    { SERVICE_API__AUTH_STRATEGY: 'keystone' },
    /^\[keystone_authtoken\] auth_url is not set: give the URL of a Keystone server/,
  ],
  [
    'a user of Keystone without a password',
    {
      SERVICE_API__AUTH_STRATEGY: 'keystone',
      KEYSTONE_AUTHTOKEN__AUTH_URL: 'http://127.0.0.1:5000',
      KEYSTONE_AUTHTOKEN__USERNAME: 'zonewright',
    },
    /^\[keystone_authtoken\] password is not set: give a username together with a password/,
  ],
  [
    'noauth beside tokens',
    { SERVICE_API__AUTH_STRATEGY: 'token, noauth' },
    /auth_strategy = "token, noauth": allowed: noauth alone/,
  ],
  [
    'an OIDC issuer without an audience',
    { SERVICE_API__AUTH_STRATEGY: 'jwt', JWT__ISSUER: 'https://issuer.example.org' },
    /^\[jwt\] audience is not set: give what tokens for this service have in aud/,
  ],
];

describe('18.5 a start that fails', () => {
  /** The output of `main.ts`: one line, without a stack. */
  async function refusalOf(directory: string, settings: Settings): Promise<string> {
    const service = await startTestService(settings, directory).catch((error: unknown) => error);
    if (service instanceof Error) return service.message;
    throw new Error('the service started');
  }

  it.each(FAULTS)('reports the fault in one line: %s', async (_, settings, line) => {
    const refusal = await refusalOf(await newDirectory(), settings);
    expect(refusal).toMatch(/^[^\n]+$/);
    expect(refusal).toMatch(line);
  });

  it('never shows a secret', async () => {
    const directory = await newDirectory();
    expect(await refusalOf(directory, { AUTH__ADMIN_TOKEN: 'too-short' })).not.toContain('too-short');
    expect(await refusalOf(directory, { DATABASE__URL: 'mysql://root:hunter2@db.example.org/dns' })).not.toContain(
      'hunter2',
    );
  });

  /** Exit code 1 and one line on stderr, without a stack and with empty stdout. */
  async function expectOneLine(
    directory: string,
    settings: Settings,
    line: RegExp,
    args: string[] = [],
  ): Promise<void> {
    const { code, stdout, stderr } = await runService(directory, environmentOf(directory, settings), args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^zonewright: [^\n]+\n$/);
    expect(stderr).toMatch(line);
  }

  it('ends with code 1 and one line on stderr: a bad option', async () => {
    const directory = await newDirectory();
    await writeFile(join(directory, 'bad.conf'), '[service:api]\nport = 1\n');
    await expectOneLine(directory, {}, /bad\.conf:2: unknown option "port"/, ['--config-file', 'bad.conf']);
  });

  it('ends with code 1 and one line on stderr: a misspelled extension, by file and line, before a database exists', async () => {
    const directory = await newDirectory();
    await writeFile(join(directory, 'bad.conf'), '[service:api]\n\nenabled_extensions_v1 = quotas, webhoks\n');
    await expectOneLine(
      directory,
      {},
      /bad\.conf:3: \[service:api\] enabled_extensions_v1 = "quotas, webhoks": there is no extension "webhoks"; did you mean webhooks\? known: /,
      ['--config-file', 'bad.conf'],
    );
    if (!ON_POSTGRES) await expect(stat(databaseFileIn(directory))).rejects.toThrow('ENOENT');
  });

  it('ends with code 1 and one line on stderr: a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const settings = { SERVICE_API__LISTEN: `127.0.0.1:${port}` };
    await expectOneLine(
      await newDirectory(),
      settings,
      new RegExp(`127\\.0\\.0\\.1:${port} is taken by another program`),
    );
    taken.close();
  });

  it('ends with code 1 and one line on stderr: a database file that is a directory', async () => {
    const directory = await newDirectory();
    await mkdir(databaseFileIn(directory));
    await expectOneLine(directory, {}, /cannot open the database .*test\.sqlite/);
  });

  it('ends with code 1 and one line on stderr: a file that is no database, and leaves it alone', async () => {
    const directory = await newDirectory();
    const notes = "somebody else's notes\n".repeat(100);
    await writeFile(databaseFileIn(directory), notes);
    await expectOneLine(directory, {}, /cannot open the database .*test\.sqlite: .*not a database/);
    expect(await readFile(databaseFileIn(directory), 'utf8')).toBe(notes);
  });
});

describe('the first start', () => {
  let service: ServiceProcess | undefined;
  afterEach(async () => {
    service?.signal('SIGKILL');
    await service?.ended;
    service = undefined;
  });

  /** As an operator starts it: nothing configured but the port, which must be free. */
  const DEFAULTS = { ZONEWRIGHT_SERVICE_API__LISTEN: '127.0.0.1:0' };
  const FOR_PEOPLE = { ...DEFAULTS, ZONEWRIGHT_LOG__FORMAT: 'pretty' };
  async function startAndStop(directory: string): Promise<string> {
    const running = await startServiceProcess(directory, DEFAULTS);
    running.signal('SIGTERM');
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  }

  it('3.5 creates an admin token, shows it, and stores it readable only by its owner', async () => {
    const directory = await newDirectory();
    service = await startServiceProcess(directory, FOR_PEOPLE);
    const path = join(directory, 'data/admin-token');
    const token = (await readFile(path, 'utf8')).trim();
    expect(token).toMatch(/^zw_[\w-]{43}$/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const { stdout, stderr } = service.output();
    expect(stdout.split(token)).toHaveLength(2);
    expect(stdout).toContain(`kept in ${path}`);
    expect(stdout).toContain(`API          ${service.url}/v1/domains\n`);
    expect(stdout).toContain(`${service.url}/docs`);
    expect(stderr).toBe('');
    expect((await request(service.url).get('/v1/domains').set('X-Auth-Token', token)).status).toBe(200);
  });

  it('3.5 shows no token the second time, and the first stays valid', async () => {
    const directory = await newDirectory();
    await startAndStop(directory);
    const path = join(directory, 'data/admin-token');
    const token = (await readFile(path, 'utf8')).trim();
    service = await startServiceProcess(directory, FOR_PEOPLE);
    expect(service.output().stdout).not.toContain('zw_');
    expect(service.output().stdout).toContain(`kept in ${path}`);
    expect((await readFile(path, 'utf8')).trim()).toBe(token);
    expect((await request(service.url).get('/v1/domains').set('X-Auth-Token', token)).status).toBe(200);
  });

  it('3.5 restricts an older file of that name to its owner', async () => {
    const directory = await newDirectory();
    const path = join(directory, 'data/admin-token');
    await mkdir(join(directory, 'data'));
    await writeFile(path, 'from another life');
    await chmod(path, 0o644);
    await startAndStop(directory);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toMatch(/^zw_[\w-]{43}\n$/);
  });

  it('18.1 keeps acknowledged changes when the process is killed', async () => {
    const directory = await newDirectory();
    const env = environmentOf(directory);
    service = await startServiceProcess(directory, env);
    const body = { name: 'example.org.', email: 'hostmaster@example.org' };
    expect((await request(service.url).post('/v1/domains').send(body)).status).toBe(200);
    service.signal('SIGKILL');
    await service.ended;
    service = await startServiceProcess(directory, env);
    expect((await request(service.url).get('/v1/domains')).body.domains).toMatchObject([body]);
    const database = new Database(databaseFileIn(directory), { readonly: true });
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
  });
});
