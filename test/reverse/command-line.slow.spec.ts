import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newDomain, type TestDomain } from '../support/domain.js';
import { type Ended, runCommand } from '../support/process.js';
import { environmentOf, removeTestData, startTestService, type TestService } from '../support/service.js';

let service: TestService;
let directory: string;
let domain: TestDomain;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-reverse-'));
  service = await startTestService({}, directory);
  domain = await newDomain(service.as('acme'), 'example.org.');
  const reverse = await newDomain(service.as('acme'), '2.0.192.in-addr.arpa.');
  await reverse.newRecord({ name: reverse.at('2'), type: 'PTR', data: 'other.example.net.' });
  for (const n of [1, 2, 3]) await domain.newRecord({ name: domain.at(`h${n}`), data: `192.0.2.${n}` });
});
afterAll(async () => {
  await service.stop();
  await removeTestData(directory);
});

const run = (...args: string[]): Promise<Ended> => runCommand(directory, environmentOf(directory), args);
const printed = (...lines: string[]) => ({ code: 0, stdout: lines.map((line) => `${line}\n`).join(''), stderr: '' });

it('26.7 zone reverse prints the missing PTR records, and creates them', async () => {
  expect(await run('zone', 'reverse', 'example.org')).toEqual(printed('created: 0, left as they are: 0'));
  expect((await run('zone', 'label', 'example.org', 'reverse=true')).code).toBe(0);
  const lines = [
    '+ 1.2.0.192.in-addr.arpa. PTR h1.example.org.',
    '! 2.2.0.192.in-addr.arpa.: 2.2.0.192.in-addr.arpa. is other.example.net. already. An address has one PTR record.',
    '+ 3.2.0.192.in-addr.arpa. PTR h3.example.org.',
  ];
  expect(await run('zone', 'reverse', 'example.org', '--dry-run')).toEqual(
    printed(...lines, 'to create: 2, left as they are: 1'),
  );
  expect(await run('zone', 'reverse', 'example.org')).toEqual(printed(...lines, 'created: 2, left as they are: 1'));
  expect((await run('zone', 'check', 'example.org')).stdout).toContain('Its PTR record does not follow.');
});
