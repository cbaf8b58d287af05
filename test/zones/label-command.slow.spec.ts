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
  directory = await mkdtemp(join(tmpdir(), 'zonewright-labels-'));
  service = await startTestService({}, directory);
  domain = await newDomain(service.as('acme'), 'example.org.');
  await domain.newRecord();
});
afterAll(async () => {
  await service.stop();
  await removeTestData(directory);
});

const run = (...args: string[]): Promise<Ended> => runCommand(directory, environmentOf(directory), args);
const label = (...args: string[]): Promise<Ended> => run('zone', 'label', 'example.org', ...args);
const printed = (stdout: string) => ({ code: 0, stdout, stderr: '' });

describe('zone label', () => {
  it('17.13 sets, removes and prints the labels of a zone', async () => {
    expect(await label()).toEqual(printed(''));
    expect(await label('team=web', 'env=prod')).toEqual(printed('env=prod\nteam=web\n'));
    expect(await label('env-', 'team=dns')).toEqual(printed('team=dns\n'));
    expect(await domain.now()).toMatchObject({ labels: { team: 'dns' } });
    expect((await run('zone', 'history', 'example.org', '--limit', '1')).stdout).toContain('labels {"env":"prod"');
  });

  it('17.13 does the same for a record set', async () => {
    expect(await label('--set', 'www.example.org./A', 'owner=deploy')).toEqual(printed('owner=deploy\n'));
    expect(await label('--set', 'www.example.org/A')).toEqual(printed('owner=deploy\n'));
    const { body } = await answerOf(service.as('acme').call('get', `/v1/domains/${domain.id}/labels`));
    expect(body).toMatchObject({ record_sets: [{ name: 'www.example.org.', type: 'A', labels: { owner: 'deploy' } }] });
    expect(await label('--set', 'none.example.org./A', 'a=b')).toMatchObject({ code: 1, stdout: '' });
    expect(await label('--set', 'www.example.org.', 'a=b')).toMatchObject({ code: 1, stdout: '' });
  });

  it('17.13 refuses malformed labels', async () => {
    for (const text of ['team', 'a b=c', '=x', `k=${'v'.repeat(64)}`])
      expect(await label(text)).toMatchObject({ code: 1, stdout: '' });
    expect(await label()).toEqual(printed('team=dns\n'));
  });

  it('14.7 limits a token by labels', async () => {
    const made = await run('token', 'create', '--tenant', 'acme', '--label', 'team=dns', '--label', 'env');
    expect(made.code).toBe(0);
    expect((await run('token', 'list')).stdout).toContain('labels=team=dns,env');
  });
});
