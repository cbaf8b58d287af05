import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { genericType, type RecordType, SOA, STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import { audit } from '../support/audit.js';
import { startTestService, type TestService } from '../support/service.js';
import { validRdata } from '../support/valid-rdata.js';
import { recordsOfFile } from '../support/zone-records.js';
import { linesOfExport, newDomain } from '../support/domain.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    DEFAULT__QUOTA_API_EXPORT_SIZE: '100000',
    SERVICE_API__MAX_BODY_SIZE: '10000000',
  });
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

interface Set {
  readonly type: string;
  readonly ttl: number;
  readonly rdatas: readonly Uint8Array[];
}

function recordSet({ name, placement }: RecordType, rdata: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Set> {
  return fc.record({
    type: fc.constant(name),
    ttl: fc.constantFrom(1, 300, 3600, 2_147_483_647),
    rdatas: fc.oneof(
      fc.tuple(rdata),
      fc.array(
        rdata.filter((octets) => placement.exclusive?.includes(octets) !== true),
        { minLength: 1, maxLength: placement.isSingle ? 1 : 4 },
      ),
    ),
  });
}

const TYPES = [...STANDARD_TYPES, genericType('TYPE65280') ?? SOA];
const SETS = fc.array(fc.oneof(...TYPES.map((type) => recordSet(type, validRdata(type)))), {
  minLength: 1,
  maxLength: 40,
});

/** A set at a separate name, in octets (RFC 3597 §5), without Zonewright's writer. */
function textOf({ type, ttl, rdatas }: Set, at: number): string {
  const owner = `${type === 'SRV' ? '_s._tcp.' : ''}${at % 3 === 0 ? 'R' : 'r'}${String(at)}`;
  return rdatas
    .map(
      (rdata) => `${owner} ${String(ttl)} ${type} \\# ${String(rdata.length)} ${Buffer.from(rdata).toString('hex')}\n`,
    )
    .join('');
}

it('15.6 import(export(z)) = z for random zones of all types', async () => {
  await fc.assert(
    fc.asyncProperty(SETS, async (sets) => {
      const zone = await newDomain(service);
      const file = sets.map(textOf).join('');
      const { created } = await zone.import(file);
      const exported = await zone.export();
      const added = (text: string) => recordsOfFile(text, zone.name).filter((line) => !isGenerated(line, zone.name));
      expect(added(exported)).toEqual(added(file));
      expect(linesOfExport(exported)).toHaveLength(created + 2);

      const { serial } = await zone.now();
      for (const mode of ['merge', 'replace']) {
        const counts = await zone.import(exported, `?mode=${mode}`);
        expect(counts).toMatchObject({ created: 0, updated: 0, unchanged: created, removed: 0, skipped: 2 });
      }
      expect((await zone.now()).serial).toBe(serial);
    }),
    { numRuns: 40 },
  );
});

function isGenerated(line: string, zone: string): boolean {
  return line.startsWith(`${zone} `);
}

it('4.6, 15.6 a set of different ttls is written with the smallest, and importing that changes nothing', async () => {
  const zone = await newDomain(service);
  await zone.import('$TTL 3600\na 600 A 192.0.2.1\na 300 A 192.0.2.2\na 3600 A 192.0.2.3\n');
  const exported = await zone.export();
  expect(await zone.import(exported)).toMatchObject({ updated: 0, unchanged: 3 });
  expect(await zone.import(exported, '?mode=replace')).toMatchObject({ updated: 0, unchanged: 3 });
  expect(linesOfExport(await zone.export()).slice(1)).toEqual(linesOfExport(exported).slice(1));
});
