import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { addressesAt, followingBy } from '../support/alias-service.js';
import { AliasResolver } from '../support/alias-resolver.js';
import { bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { runCommand } from '../support/process.js';
import { environmentOf } from '../support/service.js';
import { FolderTest, summaryOf } from '../support/zone-folder.js';
import { until } from '../support/until.js';

jest.setTimeout(300_000);

let resolver: AliasResolver;
let test: FolderTest;
let settings: Record<string, string>;

beforeAll(async () => {
  resolver = await AliasResolver.start();
  settings = {
    ...followingBy(resolver.address),
    DEFAULT__QUOTA_API_EXPORT_SIZE: '100000',
    DEFAULT__QUOTA_ZONE_RECORDS: '100000',
    DEFAULT__QUOTA_ZONE_RECORDSETS: '100000',
    SERVICE_API__CHANGES_PER_MINUTE: '0',
  };
  test = await FolderTest.start(settings);
});
afterAll(async () => {
  audit(test.service.databaseFile);
  await test.stop();
  await resolver.stop();
});

const run = (command: string, dir: string, ...args: string[]) =>
  runCommand(test.directory, environmentOf(test.directory, settings), [command, dir, '--owner', 'web', ...args]);

async function labeledCount({ id }: TestDomain): Promise<number> {
  let count = 0;
  let after = '';
  for (;;) {
    const { record_sets: sets } = await bodyOf<{ record_sets: { id: string }[] }>(
      test.service.call('get', `/v1/domains/${id}/labels?label=owner=web&limit=200${after}`),
    );
    count += sets.length;
    const last = sets.at(-1);
    if (last === undefined) return count;
    after = `&marker=${last.id}`;
  }
}

const lines = (count: number, address: string): string =>
  Array.from({ length: count }, (_, at) => `h${at} 300 A ${address}\n`).join('');

// The first is prepared before its change, the second is written ahead as well.
for (const count of [5500, 10_500])
  it(`17.14 adopts ${count} sets of one zone with the same serial, and then changes and deletes them`, async () => {
    const zone = await newDomain(test.service);
    const file = `${zone.name}zone`;
    await zone.import(lines(count, '192.0.2.1'));
    await zone.newRecord({ name: zone.at('hand') });
    const { serial } = await zone.now();
    const dir = await test.folder('d', { [file]: lines(count, '192.0.2.1') });
    expect(summaryOf(await run('plan', dir))).toContain('0 to change, 1 unchanged');
    const adopted = await run('apply', dir, '--adopt');
    expect(adopted).toMatchObject({ code: 0, stderr: '' });
    expect(adopted.stdout).toContain(`0 to delete; record sets: ${count} to label; serial ${serial}\n`);
    expect(await zone.now()).toMatchObject({ serial });
    expect(await labeledCount(zone)).toBe(count);

    await test.folder('d', { [file]: lines(count - 10, '192.0.2.2') });
    expect(await run('apply', dir)).toMatchObject({ code: 0, stderr: '' });
    expect(await labeledCount(zone)).toBe(count - 10);
    expect((await zone.now()).serial).toBeGreaterThan(serial);
    expect(await zone.export()).toContain('hand.');
    expect(await run('plan', dir)).toMatchObject({ code: 0 });
  });

it('17.14 creates a large zone with its labels', async () => {
  const { name } = await newDomain(test.service);
  const fresh = `large.${name}`;
  const dir = await test.folder('d', { [`${fresh}zone`]: lines(5500, '192.0.2.1') });
  const created = ['--create', '--tenant', 'tenant-a', '--email', 'a@example.com'];
  expect(await run('apply', dir, ...created)).toMatchObject({ code: 0, stderr: '' });
  const { domains } = await bodyOf<{ domains: TestDomain[] }>(
    test.service.call('get', `/v1/domains?label=owner=web&name=${fresh}`),
  );
  expect(await labeledCount(domains[0]!)).toBe(5500);
  expect(await run('plan', dir)).toMatchObject({ code: 0 });
});

it('17.14 an ALIAS takes its addresses along, and addresses can take its place', async () => {
  const zone = await newDomain(test.service);
  resolver.say('lb.example.net.', ['192.0.2.10', '192.0.2.11']);
  resolver.say('lb2.example.net.', ['192.0.2.12']);
  const apply = async (text: string) => {
    const dir = await test.folder('d', { [`${zone.name}zone`]: text });
    expect(await run('apply', dir, '--max-deletes', '100%')).toMatchObject({ code: 0, stderr: '' });
    expect(await run('plan', dir)).toMatchObject({ code: 0 });
  };
  const hasAddresses = (...addresses: string[]) =>
    until(async () => (await addressesAt(zone)).join(' ') === addresses.join(' '));
  await apply('@ 300 ALIAS lb.example.net.\nwww 300 A 192.0.2.1\n');
  await hasAddresses('192.0.2.10', '192.0.2.11');
  await apply('@ 300 ALIAS lb2.example.net.\nwww 300 A 192.0.2.1\n');
  await hasAddresses('192.0.2.12');
  await apply('@ 300 A 192.0.2.12\n@ 300 A 192.0.2.13\nwww 300 A 192.0.2.1\n');
  await hasAddresses('192.0.2.12', '192.0.2.13');
  expect(await labeledCount(zone)).toBe(2);
  await apply('@ 300 ALIAS lb.example.net.\nwww 300 A 192.0.2.1\n');
  await hasAddresses('192.0.2.10', '192.0.2.11');
  await apply('www 300 A 192.0.2.1\n');
  expect(await zone.records()).toHaveLength(1);
});
