import { readdir, readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OCTODNS_TYPES } from '../../src/cli/zone-folders/octodns/octodns-types.js';
import { genericType, type RecordType, STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import { audit } from '../support/audit.js';
import { newDomain } from '../support/domain.js';
import { validRdata } from '../support/valid-rdata.js';
import { FolderTest, summaryOf } from '../support/zone-folder.js';

let test: FolderTest;

beforeAll(async () => {
  test = await FolderTest.start({
    DEFAULT__QUOTA_ZONES: '1000',
    DEFAULT__QUOTA_ZONE_RECORDS: '100000',
    DEFAULT__QUOTA_ZONE_RECORDSETS: '100000',
  });
});
afterAll(async () => {
  audit(test.service.databaseFile);
  await test.stop();
});

/** Random records of these types, each set at a name of its own, in octets (RFC 3597 §5). */
function randomZone(types: readonly RecordType[], seed: number): string {
  const lines = types.flatMap((type, at) =>
    fc.sample(validRdata(type), { numRuns: 12, seed }).map((rdata, nth) => {
      const labels = type.name === 'SRV' ? `_s._tcp.r${at}x${nth}` : `r${at}x${nth}`;
      return `${labels} ${300 + nth} ${type.name} \\# ${rdata.length} ${Buffer.from(rdata).toString('hex')}\n`;
    }),
  );
  return lines.join('');
}

it('17.12 a plan of an export changes nothing, for random records of all types in zone files', async () => {
  const types = [...STANDARD_TYPES, genericType('TYPE65280')!];
  for (let seed = 1; seed <= 5; seed++) await (await newDomain(test.service)).import(randomZone(types, seed));
  await (
    await newDomain(test.service)
  ).import('a TXT "\\036{HOME} \\036{a} ;" "" "x"\nmixed 60 A 192.0.2.1\nmixed 90 A 192.0.2.2\n');
  expect(await test.run('export', 'all')).toMatchObject({ code: 0, stderr: '' });
  const ended = await test.run('plan', 'all');
  expect([ended.code, summaryOf(ended), ended.stderr]).toEqual([
    0,
    expect.stringMatching(/^0 zones to create, 0 to change, 6 unchanged/),
    '',
  ]);
});

it('17.10, 17.12 a plan of an export changes nothing, for all types of octoDNS in YAML', async () => {
  const types = STANDARD_TYPES.filter(({ name }) => OCTODNS_TYPES.includes(name) && !['TXT', 'SPF'].includes(name));
  const names: string[] = [];
  for (let seed = 1; seed <= 5; seed++) {
    const zone = await newDomain(test.service);
    await zone.import(randomZone(types, seed));
    await zone.import(
      't TXT "a;b" "\\\\;" "\\036{A}"\nu TXT "\\"quoted\\""\nv SPF "v=spf1 -all"\ne TXT ""\ni TXT "\\195\\164"\n',
    );
    names.push(zone.name);
  }
  const exported = await test.run('export', 'yaml', ...names, '--format', 'yaml');
  // RDATA that octoDNS's schema cannot hold leaves the zone out, with the reason.
  const refused = exported.stderr.split('\n').filter((line) => line !== '');
  for (const line of refused) expect(line).toMatch(/octoDNS's schema cannot hold/);
  expect(refused.length).toBeLessThan(5);
  const ended = await test.run('plan', 'yaml');
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  expect(summaryOf(ended)).toContain(`${5 - refused.length} unchanged`);
});

it('17.12 refuses a type outside the schema and a zone in another format, and names a zone with a slash', async () => {
  const zone = await newDomain(test.service);
  await zone.import('a HINFO a b\n');
  const slash = await newDomain(test.service, '0/25.2.0.192.in-addr.arpa.');
  const names = [zone.name, slash.name];
  const yaml = await test.run('export', 'some', ...names, '--format', 'yaml');
  expect(yaml).toMatchObject({
    code: 1,
    stderr: `${zone.name}: a.${zone.name} HINFO: octoDNS's schema does not have this type\n`,
  });
  const file = await test.run('export', 'some', ...names);
  expect(file).toMatchObject({
    code: 1,
    stderr: `${slash.name}: the folder has 0\\04725.2.0.192.in-addr.arpa.yaml: remove it, or choose its format\n`,
  });
  expect((await readdir(join(test.directory, 'some'))).toSorted()).toEqual(
    ['0\\04725.2.0.192.in-addr.arpa.yaml', `${zone.name}zone`].toSorted(),
  );
  expect((await test.run('plan', 'some')).code).toBe(0);
});

it('17.12 exports zones of one tenant, and replaces a symbolic link instead of its target', async () => {
  const own = await newDomain(test.service.as('tenant-x'));
  const dir = await test.folder('one', { other: 'kept' });
  await symlink('other', join(test.directory, dir, `${own.name}zone`));
  expect(await test.run('export', dir, '--tenant', 'tenant-x')).toMatchObject({ code: 0 });
  expect((await readdir(join(test.directory, dir))).toSorted()).toEqual([`${own.name}zone`, 'other'].toSorted());
  expect(await readFile(join(test.directory, dir, 'other'), 'utf8')).toBe('kept');
  expect(await test.run('export', dir, own.name, '--tenant', 'tenant-y')).toMatchObject({ code: 1 });
});

it('17.7, 17.12 the examples of the repository are created, exported and unchanged', async () => {
  const own = await FolderTest.start();
  const example = resolve('examples/dns-as-code/zones');
  const single = await own.folder('single', { 'example.org.zone': await readFile('examples/example.org.zone') });
  const created = await own.run('apply', example, '--create', '--email', 'a@example.org');
  expect([created.code, created.stderr]).toEqual([0, '']);
  expect((await own.run('plan', example)).code).toBe(0);
  for (const format of ['zone', 'yaml']) {
    await own.run('export', `examples-${format}`, 'example.org', 'example.net', '--format', format);
    expect(await own.run('plan', `examples-${format}`)).toMatchObject({ code: 0 });
  }
  expect(await own.run('apply', single, '--max-deletes', '100%')).toMatchObject({ code: 0, stderr: '' });
  await own.run('export', 'exported', 'example.org');
  for (const folder of [single, 'exported']) expect(await own.run('plan', folder)).toMatchObject({ code: 0 });
  await newDomain(own.service, 'lan.');
  expect(await own.run('export', 'lan', 'lan', '--format', 'yaml')).toMatchObject({ code: 1 });
  expect(await own.run('export', 'lan', 'lan')).toMatchObject({ code: 0 });
  expect(await own.run('plan', 'lan')).toMatchObject({ code: 0 });
  await own.stop();
});
