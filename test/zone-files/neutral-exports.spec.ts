import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ SERVICE_POWERDNS__ENABLED: 'True' });
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

/** Imports the export of the domain in replace mode, and expects no change. */
async function expectNeutral(zone: TestDomain): Promise<void> {
  const before = await zone.now();
  const records = await zone.records();
  const exported = await zone.export();
  for (const mode of ['merge', 'replace'])
    expect(await zone.import(exported, `?mode=${mode}`)).toMatchObject({ created: 0, updated: 0, removed: 0 });
  expect(await zone.now()).toEqual(before);
  expect(await zone.records()).toEqual(records);
}

const TTL = fc.constantFrom(null, 60, 300, 3600, 7200);
const HOST = fc.constantFrom('', 'www.', '*.', 'a.b.');
const ADDRESS = fc.constantFrom('192.0.2.1', '192.0.2.2', '192.0.2.3');
const TEXT = fc.constantFrom('"a"', '"a b" "c"', '"v=spf1 -all"');

interface Step {
  readonly interface: 'v1' | 'v2' | 'powerdns' | 'file';
  readonly host: string;
  readonly type: 'A' | 'TXT';
  readonly ttl: number | null;
  readonly data: readonly string[];
}

const STEP: fc.Arbitrary<Step> = fc.oneof(
  ...(['A', 'TXT'] as const).map((type) =>
    fc.record({
      interface: fc.constantFrom('v1' as const, 'v2' as const, 'powerdns' as const, 'file' as const),
      host: HOST,
      type: fc.constant(type),
      ttl: TTL,
      data: fc.uniqueArray(type === 'A' ? ADDRESS : TEXT, { minLength: 1, maxLength: 3 }),
    }),
  ),
);

/** A step may be refused, as its record may already exist. */
async function take(zone: TestDomain, { host, type, ttl, data, ...step }: Step): Promise<void> {
  const name = `${host}${zone.name}`;
  switch (step.interface) {
    case 'v1':
      for (const value of data) await zone.create({ name, type, ttl, data: value });
      return;
    case 'v2':
      await service.call('post', `/v2/zones/${zone.id}/recordsets`, { name, type, ttl, records: data });
      return;
    case 'powerdns': {
      const records = data.map((content) => ({ content, disabled: false }));
      const rrset = { name, type, ttl: ttl ?? 3600, changetype: 'REPLACE', records };
      await service.call('patch', `/api/v1/servers/localhost/zones/${zone.name}`, { rrsets: [rrset] });
      return;
    }
    case 'file':
      await zone.sendFile(data.map((value) => `${name} ${String(ttl ?? '')} ${type} ${value}\n`).join(''));
  }
}

it('15.6, 15.4 the export of a domain that any interface has filled changes nothing when it is imported', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 1, maxLength: 8 }), async (steps) => {
      const zone = await newDomain(service);
      for (const step of steps) await take(zone, step);
      await expectNeutral(zone);
    }),
    { numRuns: 25 },
  );
});

it('15.6, 15.4 neither does that of a set of several TTLs', async () => {
  const zone = await newDomain(service);
  await zone.import('www 60 A 192.0.2.1\nwww 3600 A 192.0.2.2\nftp 7200 A 192.0.2.1\nftp 3600 A 192.0.2.2\n');
  await expectNeutral(zone);
});

it('15.4 a record that stands twice has the lower TTL, in whichever order', async () => {
  for (const file of ['www 60 A 192.0.2.1\nwww 120 A 192.0.2.1\n', 'www 120 A 192.0.2.1\nwww 60 A 192.0.2.1\n']) {
    const zone = await newDomain(service);
    for (const created of [1, 0])
      expect(await zone.import(file)).toMatchObject({ created, updated: 0, unchanged: 2 - created });
    expect(await zone.records()).toMatchObject([{ ttl: 60 }]);
  }
});

it('15.4 a file that lowers the TTL of one record of a set lowers that of the set', async () => {
  const zone = await newDomain(service);
  await zone.import('www 60 A 192.0.2.1\nwww 3600 A 192.0.2.2\n');
  await zone.import('www 120 A 192.0.2.1\nwww 30 A 192.0.2.2\n', '?mode=replace');
  const { rrsets } = await bodyOf<{ rrsets: { name: string; type: string; ttl: number }[] }>(
    service.call('get', `/api/v1/servers/localhost/zones/${zone.name}`),
  );
  expect(rrsets.find(({ type }) => type === 'A')).toMatchObject({ ttl: 30 });
});
