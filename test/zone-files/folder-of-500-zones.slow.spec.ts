import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { audit } from '../support/audit.js';
import { bodyOf } from '../support/answers.js';
import { runCommandWithin } from '../support/process.js';
import { FolderTest, summaryOf } from '../support/zone-folder.js';

// On PostgreSQL it takes two minutes while the machine has other work.
jest.setTimeout(600_000);

const COUNT = 500;
const NEW = ['--create', '--email', 'a@example.org', '--tenant', 'tenant-a'];

let test: FolderTest;

beforeAll(async () => {
  test = await FolderTest.start({ DEFAULT__QUOTA_ZONES: '10000' });
});
afterAll(async () => {
  audit(test.service.databaseFile);
  await test.stop();
});

/** Half of the zones in each format. */
function zonesWith(address: string): Record<string, string> {
  const hosts = Array.from({ length: 10 }, (_, at) => `h${at}`);
  const file = hosts.map((host) => `${host} 300 A ${address}\n`).join('');
  const yaml = hosts.map((host) => `${host}:\n  ttl: 300\n  type: A\n  value: ${address}\n`).join('');
  return Object.fromEntries(
    Array.from({ length: COUNT }, (_, at) =>
      at % 2 === 0 ? [`z${at}.example.zone`, file] : [`z${at}.example.yaml`, yaml],
    ),
  );
}

/** Numbers of records with each of the addresses, for each zone. */
async function stateOf(addresses: readonly string[]): Promise<number[][]> {
  const { domains } = await bodyOf<{ domains: { id: string }[] }>(test.service.call('get', '/v1/domains'));
  return Promise.all(
    domains.map(async ({ id }) => {
      const { records } = await bodyOf<{ records: { data: string }[] }>(
        test.service.call('get', `/v1/domains/${id}/records`),
      );
      return addresses.map((address) => records.filter(({ data }) => data === address).length);
    }),
  );
}

it('17.8, 17.9 plans and applies 500 zones, and a killed apply leaves each zone old or new and is completed', async () => {
  const dir = await test.folder('d', zonesWith('192.0.2.1'));
  const planned = await test.run('plan', dir, ...NEW, '--out', 'plan.json');
  expect([planned.code, summaryOf(planned)]).toEqual([
    2,
    `${COUNT} zones to create, 0 to change, 0 unchanged, 0 refused; records: 5000 to add, 0 to change, 0 to delete`,
  ]);
  const cut = await runCommandWithin(2500, test.directory, test.env, ['apply', dir, ...NEW, '--plan', 'plan.json']);
  expect(cut.code).toBeNull();
  const created = await stateOf(['192.0.2.1']);
  expect(created.length).toBeLessThan(COUNT);
  expect(new Set(created.flat())).toEqual(new Set(created.length === 0 ? [] : [10]));
  const rest = await test.run('apply', dir, ...NEW, '--plan', 'plan.json');
  expect([rest.code, rest.stderr]).toEqual([0, '']);
  expect(summaryOf(rest)).toContain(`${COUNT - created.length} zones created, 0 changed, ${created.length} unchanged`);

  await test.folder('d', zonesWith('192.0.2.2'));
  await runCommandWithin(3000, test.directory, test.env, ['apply', dir]);
  const both = await stateOf(['192.0.2.1', '192.0.2.2']);
  expect(both).toHaveLength(COUNT);
  for (const [old, fresh] of both) expect([old, fresh]).toEqual(fresh === 0 ? [10, 0] : [0, 10]);
  expect((await test.run('apply', dir)).code).toBe(0);

  const unchanged = await test.run('plan', dir);
  expect([unchanged.code, summaryOf(unchanged)]).toEqual([
    0,
    `0 zones to create, 0 to change, ${COUNT} unchanged, 0 refused; records: 0 to add, 0 to change, 0 to delete`,
  ]);

  const { domains } = await bodyOf<{ domains: { id: string; name: string }[] }>(
    test.service.call('get', '/v1/domains?limit=1'),
  );
  const [{ id, name }] = domains as [{ id: string; name: string }];
  await bodyOf(
    test.service.call('post', `/v1/domains/${id}/records`, { name: `drift.${name}`, type: 'A', data: '192.0.2.3' }),
  );
  const drift = await test.run('plan', dir);
  expect(drift.code).toBe(2);
  expect(drift.stdout).toContain(`-drift.${name} A 192.0.2.3`);

  for (const format of ['zone', 'yaml']) {
    expect((await test.run('export', format, '--format', format)).code).toBe(0);
    expect(await readdir(`${test.directory}/${format}`)).toHaveLength(COUNT);
    expect((await test.run('plan', format)).code).toBe(0);
  }
});
