import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACME_COMMAND_LINE, type Ended, runCommand, startServiceProcess } from '../support/process.js';
import { clientsOf, databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { lookInto } from '../support/stored.js';

describe('the command line of another team', () => {
  let directory: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zonewright-acme-'));
    env = environmentOf(directory, {
      SERVICE_API__ENABLE_API_ADMIN: 'True',
      SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'reports',
      PLUGIN_ACME__RECORDS_PER_ZONE: '1',
    });
  });
  afterAll(() => removeTestData(directory));

  const run = (...args: string[]): Promise<Ended> => runCommand(directory, env, args, { program: ACME_COMMAND_LINE });

  it('has the built-in commands and its own', async () => {
    const { code, stdout } = await run('--help');
    expect(code).toBe(0);
    for (const name of ['serve', 'migrate', 'token', 'zone', 'report'])
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect((await run('report', '--help')).stdout).toContain('note how full a zone is, and say it');
  });

  it('migrates its tables together with those of the service', async () => {
    expect(await run('migrate')).toMatchObject({ code: 0, stderr: '' });
    const columns = lookInto(databaseFileIn(directory), ({ rows }) =>
      rows<{ name: string }>("SELECT name FROM pragma_table_info('acme_reports')").map(({ name }) => name),
    );
    expect(columns).toEqual(['id', 'zone', 'records', 'at']);
  });

  it('imports and exports a zone that has its record type, and its limits do not bind an operator', async () => {
    await writeFile(join(directory, 'acme.example.zone'), 'one 3600 RACK "room 7" U12\ntwo 3600 RACK "room 7" U13\n');
    const imported = await run('zone', 'import', 'acme.example.zone', '--create', '--email', 'hostmaster@example.org');
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    const { code, stdout, stderr } = await run('zone', 'export', 'acme.example');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('one.acme.example.\t3600\tIN\tTYPE65300\t\\# 8 06726f6f6d20370c\n');
  });

  it('runs its command and shows the stored data over its routes', async () => {
    expect(await run('report', 'acme.example')).toEqual({
      code: 0,
      stdout: 'acme.example has 2 records\n',
      stderr: '',
    });
    expect(await run('report', 'nowhere.example')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'zonewright: there is no zone nowhere.example\n',
    });
    const service = await startServiceProcess(directory, env, [ACME_COMMAND_LINE, 'serve']);
    const { body } = await clientsOf(service.url).plain('get', '/admin/reports').set('X-Client-Name', 'operator');
    expect(body).toMatchObject({ reports: [{ zone: 'acme.example.', records: 2 }] });
    service.signal('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('manages tokens', async () => {
    expect(await run('token', 'create', '--tenant', 'acme')).toMatchObject({ code: 0 });
    expect((await run('token', 'list')).stdout).toContain('"acme"');
  });
});
