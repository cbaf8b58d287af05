import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, runCommand, runService, startServiceProcess } from '../support/process.js';
import { environmentOf } from '../support/service.js';

const TOKEN = /^zw_[\w-]{43}\n$/;

describe('zonewright', () => {
  let directory: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
    env = environmentOf(directory, { SERVICE_API__AUTH_STRATEGY: 'token' });
  });
  afterAll(() => rm(directory, { recursive: true }));

  const run = (...args: string[]): Promise<Ended> => runCommand(directory, env, args);

  it.each(['--version', '--help'])('17.1 %s loads neither NestJS nor TypeORM', async (option) => {
    const preload = join(directory, 'loaded.mjs');
    const listing = "process.on('exit', () => console.error(Object.keys(Module._cache).join('\\n')));";
    await writeFile(preload, `import { Module } from 'node:module';\n${listing}\n`);
    const { code, stderr } = await runCommand(directory, { ...env, NODE_OPTIONS: `--import=${preload}` }, [option]);
    expect(code).toBe(0);
    expect(stderr).toContain('node_modules/commander/');
    expect(stderr).not.toMatch(/node_modules\/(@nestjs|typeorm|rxjs|pg|better-sqlite3)\//);
  });

  it('17.4 migrate brings an empty database up to date, and again', async () => {
    const made = await run('migrate');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/: created the schema in \d\.\d\d s\nthe database is up to date\n$/);
    expect(await run('migrate')).toEqual({ code: 0, stdout: 'the database is up to date\n', stderr: '' });
    const locked = { ...env, ZONEWRIGHT_DATABASE__MIGRATE: 'False' };
    const service = await startServiceProcess(directory, locked);
    service.signal('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('17.2 token create, list and revoke work while the service runs', async () => {
    const service = await startServiceProcess(directory, env);
    const ask = async (token: string) =>
      (await fetch(`${service.url}/v1/domains`, { headers: { 'X-Auth-Token': token } })).status;
    try {
      const made = await run('token', 'create', '--tenant', 'acme', '--description', 'for a test', '--expires', '1h');
      expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(TOKEN) });
      const token = made.stdout.trim();
      const [, id = ''] = /^id (\S+), tenant acme, roles member;/.exec(made.stderr) ?? [];
      expect(await ask(token)).toBe(200);

      const listed = await run('token', 'list');
      expect(listed).toMatchObject({ code: 0, stderr: '' });
      expect(listed.stdout).toMatch(new RegExp(`^${id}  "acme"  member  created .*  expires .*  for a test$`, 'm'));
      expect(listed.stdout).not.toContain(token);

      expect(await run('token', 'revoke', id)).toEqual({ code: 0, stdout: `revoked ${id}\n`, stderr: '' });
      expect(await ask(token)).toBe(401);
      expect((await run('token', 'list')).stdout).toMatch(new RegExp(`^${id} .* revoked `, 'm'));
    } finally {
      service.signal('SIGTERM');
      await service.ended;
    }
  });

  it('17.2 token create limits a token, and token list shows the limits', async () => {
    const limits = [
      '--domain',
      'example.org.',
      '--name',
      '_acme-challenge.*',
      '--type',
      'TXT',
      '--action',
      'create,delete',
    ];
    const made = await run(
      'token',
      'create',
      '--tenant',
      'acme',
      ...limits,
      '--from',
      '192.0.2.0/24',
      '--expires',
      '30d',
    );
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(TOKEN) });
    const acme = await run('token', 'create', '--tenant', 'acme', '--acme', '*.example.org', '--from', '2001:db8::/32');
    expect(acme).toMatchObject({ code: 0, stdout: expect.stringMatching(TOKEN) });
    const { stdout } = await run('token', 'list');
    expect(stdout).toContain(
      '  never used  domains=example.org. names=_acme-challenge.* types=TXT actions=create,delete networks=192.0.2.0/24  ',
    );
    expect(stdout).toContain(
      '  domains=org.,example.org.,_acme-challenge.example.org. names=_acme-challenge.example.org. types=TXT' +
        ' actions=create,delete networks=2001:db8::/32  ',
    );
  });

  it('17.2 token create accepts several roles', async () => {
    const made = await run('token', 'create', '--tenant', 'acme', '--role', 'admin', '--role', 'reader');
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(TOKEN) });
    expect(made.stderr).toContain('roles admin,reader');
  });

  it.each([
    [
      'a role that is none (3.3)',
      ['token', 'create', '--tenant', 'a', '--role', 'readonly'],
      /^zonewright: "readonly" is not a role: there are admin, member, reader, of which reader may only read\.\n$/,
    ],
    ['no tenant', ['token', 'create'], /tenant/],
    ['--acme beside --type', ['token', 'create', '--tenant', 'a', '--acme', 'b.example', '--type', 'A'], /leave out/],
    ['a pattern without an end', ['token', 'create', '--tenant', 'a', '--name', 'www'], /absolute names/],
    ['an action that is none', ['token', 'create', '--tenant', 'a', '--action', 'create,read'], /"read" is none/],
    ['an expiry in the past', ['token', 'create', '--tenant', 'acme', '--expires', '2020-01-01'], /future/],
    ['a token that is not there', ['token', 'revoke', 'nothing'], /no valid token nothing/],
    ['a command that is not there', ['fly'], /unknown command 'fly'/],
    ['a configuration file that is not there', ['migrate', '--config-file', 'missing.conf'], /missing\.conf/],
  ])('refuses %s with exit code 1 and without a stack', async (_, args, words) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('17.1 explains itself', async () => {
    const { code, stdout } = await run('--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Usage: zonewright .*\bserve\b.*\bmigrate\b.*\btoken\b/s);
  });

  it('reports configuration errors like the service', async () => {
    const broken = { ...env, ZONEWRIGHT_SERVICE_API__LISTEN: 'nowhere' };
    const [command, service] = [await runCommand(directory, broken, ['migrate']), await runService(directory, broken)];
    expect(command).toEqual(service);
  });
});
