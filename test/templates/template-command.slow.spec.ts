import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { type Ended, runCommand } from '../support/process.js';
import { environmentOf, removeTestData, startTestService, type TestService } from '../support/service.js';

let service: TestService;
let directory: string;
let domain: TestDomain;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-templates-'));
  service = await startTestService({}, directory);
  const acme = service.as('acme');
  domain = await newDomain(acme, 'example.org.');
  await domain.newRecord({ name: 'example.org.', type: 'MX', data: 'mx.old.example.', priority: 5 });
  const records = [
    { name: '@', type: 'MX', data: 'mail.{zone}.', priority: 10, ttl: 300 },
    { name: 'www', type: 'A', data: '192.0.2.1' },
  ];
  await answerOf(acme.call('post', '/v1/templates', { name: 'web', description: 'Our web', records }));
});
afterAll(async () => {
  await service.stop();
  await removeTestData(directory);
});

const run = (...args: string[]): Promise<Ended> =>
  runCommand(directory, environmentOf(directory), ['template', ...args]);

describe('template', () => {
  it('17.15 lists and shows templates', async () => {
    const lines = (await run('list', '--tenant', 'acme')).stdout.split('\n');
    expect(lines).toEqual(expect.arrayContaining(['web\tacme\tOur web', 'fastmail\t*\tFastmail']));
    expect((await run('list')).stdout.split('\n')).toEqual(lines.filter((line) => !line.startsWith('web')));
    const { stdout } = await run('show', 'web', '--tenant', 'acme');
    expect(stdout).toBe('@ 300 MX 10 mail.{zone}.\nwww A 192.0.2.1\n');
    expect(await run('show', 'web')).toMatchObject({ code: 1, stdout: '' });
  });

  it('17.15 applies a template, and shows the changes before', async () => {
    const kept = 'example.org. MX: kept MX 5 mx.old.example.\n';
    const added = '+www.example.org. A 192.0.2.1\n';
    expect(await run('apply', 'example.org', 'web', '--dry-run')).toEqual({ code: 0, stdout: added, stderr: kept });
    expect(await domain.records()).toHaveLength(1);
    const done = await run('apply', 'example.org', 'web');
    expect(done).toEqual({ code: 0, stdout: added, stderr: `${kept}serial ${(await domain.now()).serial}\n` });
    expect((await run('apply', 'example.org', 'web')).stderr).toBe(`${kept}no changes\n`);
    const replaced = await run('apply', 'example.org', 'web', '--replace');
    expect(replaced.stdout).toBe('-example.org. MX 5 mx.old.example.\n+example.org. 300 MX 10 mail.example.org.\n');
    expect(await run('apply', 'example.org', 'nowhere')).toMatchObject({ code: 1, stdout: '' });
  });
});
