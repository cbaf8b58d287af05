import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import fc from 'fast-check';
import { MetaType, RecordClass } from '../../src/dns/message/codes.js';
import { readMessage } from '../../src/dns/message/message-reader.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import type { TsigKey } from '../../src/dns/message/tsig/tsig-key.js';
import { SOA, STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import { rcodeOf, transfer } from '../support/dns-client.js';
import { newDomain } from '../support/domain.js';
import { holdsFor, IS_LONG, times } from '../support/length.js';
import { NAMED, type PrimaryServer, startPrimary } from '../support/primary-servers.js';
import { itWith } from '../support/run-program.js';
import {
  add,
  type Asked,
  exchange,
  exists,
  isFree,
  remove,
  startUpdateService,
  tsigKeyOf,
  updateOf,
  Updater,
  type UpdateService,
} from '../support/updates.js';

/*
 * Sends random messages to the service and to named with equal zones, and compares RCODEs and zones. Skips cases with
 * separate Zonewright rules (listed in docs/dynamic-update.md): deleting a generated NS, a later SOA, SRV at names that
 * are not services, duplicates in a prerequisite, DNAME above other names, types that only one side supports, and a TTL
 * of 2^31, which named keeps (RFC 2181 §8).
 */

const ZONE = 'example.org.';
const PATIENCE = 300_000;

let service: UpdateService;
let named: PrimaryServer | null = null;
let key: TsigKey;
beforeAll(async () => {
  service = await startUpdateService({
    SERVICE_CENTRAL__NAME_SERVERS: 'ns1.example.net.,ns2.example.net.',
    SERVICE_API__CHANGES_PER_MINUTE: '0',
  });
  const domain = await newDomain(service, ZONE);
  key = tsigKeyOf(await service.newKey({ name: 'both.example.net.' }));
  try {
    named = await startPrimary(NAMED, await domain.export(), key);
  } catch {
    // It is not installed, and the test is skipped.
    named = null;
  }
}, PATIENCE);
afterAll(async () => {
  await named?.stop();
  await service.stop();
});

const label = fc.constantFrom('a', 'b', 'B', 'c.b', '*.w', 'w', '_x._tcp.a', 'sub', 'ns.sub', 'a-*');
const owner = label.map((text) => `${text}.${ZONE}`);
/** Now and then the apex. */
const anyOwner = fc.oneof({ arbitrary: owner, weight: 9 }, { arbitrary: fc.constant(ZONE), weight: 1 });
const ttl = fc.constantFrom(0, 60, 300);
const data = fc.oneof(
  fc.constantFrom('192.0.2.1', '192.0.2.2', '192.0.2.3').map((address) => ['A', address] as const),
  fc.constantFrom('2001:db8::1', '2001:db8::2').map((address) => ['AAAA', address] as const),
  fc.constantFrom('"one"', '"ONE"', '"two"').map((text) => ['TXT', text] as const),
  fc.constantFrom('x.example.net.', 'X.example.net.', 'y.example.net.').map((name) => ['CNAME', name] as const),
  fc.constantFrom('AAIB', 'AAIC').map((digest) => ['DHCID', digest] as const),
  fc.constantFrom('10 x.example.net.', '10 X.example.net.', '20 y.example.net.').map((mx) => ['MX', mx] as const),
  fc.constantFrom('0 issue "ca.example.net"', '0 iodef "mailto:a@example.net"').map((caa) => ['CAA', caa] as const),
);
const type = fc.constantFrom('A', 'AAAA', 'TXT', 'CNAME', 'DHCID', 'MX', 'CAA');
/** Where the service is, at a name that SRV records may have. */
const server = fc.constantFrom('1 2 53 x.example.net.', '1 2 54 x.example.net.');

const prerequisite: fc.Arbitrary<ResourceRecord> = fc.oneof(
  fc.tuple(anyOwner).map(([name]) => exists(name)),
  fc.tuple(owner).map(([name]) => isFree(name)),
  fc.tuple(anyOwner, type).map(([name, of]) => exists(name, of)),
  fc.tuple(anyOwner, type).map(([name, of]) => isFree(name, of)),
  fc.tuple(owner, data).map(([name, [of, value]]) => exists(name, of, value)),
);

const sound: fc.Arbitrary<ResourceRecord> = fc.oneof(
  {
    arbitrary: fc.tuple(anyOwner, ttl, data).map(([name, seconds, [of, value]]) => add(name, seconds, of, value)),
    weight: 6,
  },
  { arbitrary: fc.tuple(anyOwner, data).map(([name, [of, value]]) => remove(name, of, value)), weight: 3 },
  { arbitrary: fc.tuple(anyOwner, type).map(([name, of]) => remove(name, of)), weight: 2 },
  { arbitrary: anyOwner.map((name) => remove(name)), weight: 1 },
  { arbitrary: fc.constantFrom('ns.a.org.', 'ns.b.org.').map((name) => add(ZONE, 3600, 'NS', name)), weight: 1 },
  { arbitrary: fc.constantFrom('ns.a.org.', 'ns.b.org.').map((name) => remove(ZONE, 'NS', name)), weight: 1 },
  { arbitrary: fc.constant(remove(ZONE, 'NS')), weight: 1 },
  { arbitrary: server.map((where) => add(`_x._tcp.a.${ZONE}`, 60, 'SRV', where)), weight: 1 },
  { arbitrary: server.map((where) => remove(`_x._tcp.a.${ZONE}`, 'SRV', where)), weight: 1 },
  // Neither of these does anything.
  { arbitrary: fc.constantFrom(remove(ZONE, 'SOA'), add(ZONE, 9, 'SOA', '. . 1 1 1 1 1')), weight: 1 },
  { arbitrary: fc.constantFrom('ns.a.org.', 'ns.b.org.').map((name) => add(`sub.${ZONE}`, 60, 'NS', name)), weight: 1 },
);

/** Updates that no server takes. */
const unsound: fc.Arbitrary<ResourceRecord> = fc.constantFrom(
  add('www.example.net.', 60, 'A', '192.0.2.1'),
  { ...add(`a.${ZONE}`, 60, 'A', '192.0.2.1'), type: MetaType.ANY },
  { ...add(`a.${ZONE}`, 60, 'A', '192.0.2.1'), class: RecordClass.CH },
  { ...remove(`a.${ZONE}`, 'A'), ttl: 60 },
  { ...remove(`a.${ZONE}`, 'A', '192.0.2.1'), ttl: 60 },
);

const message = fc.record({
  prerequisites: fc.uniqueArray(prerequisite, {
    maxLength: 3,
    selector: (one) => JSON.stringify([one.owner.key, one.type, one.class, [...one.rdata]]),
  }),
  updates: fc.array(fc.oneof({ arbitrary: sound, weight: 40 }, { arbitrary: unsound, weight: 1 }), { maxLength: 6 }),
});

/** Whether the answer is signed or not: named does not sign FORMERR of all kinds. */
async function answerOf(updater: Updater, asked: Asked): Promise<string> {
  return rcodeOf(readMessage(await exchange(updater.place, updater.signed(updateOf(ZONE, asked)))));
}

/** All records but the SOA, names without case. */
async function contentsOf(updater: Updater): Promise<string[]> {
  const { records } = await transfer(updater.place, { name: ZONE, type: MetaType.AXFR }, key);
  return records
    .filter((record) => record.type !== SOA.code)
    .map((record) => [record.owner.key, record.ttl, record.type, hexOf(record)].join(' '))
    .sort();
}

/** A name that is changed in its case alone is another change to named. */
function hexOf({ type: code, rdata }: ResourceRecord): string {
  const known = STANDARD_TYPES.find((one) => one.code === code);
  return Buffer.from(known?.canonicalize(rdata) ?? rdata).toString('hex');
}

describe('compared with named', () => {
  itWith(NAMED)(
    '20.2, 20.3, 20.4, 20.5 random messages have the same answer, and leave the same zone',
    async () => {
      const [ours, theirs] = [new Updater(service.dns, key), new Updater({ port: named?.port ?? 0 }, key)];
      const rcodes = new Map<string, number>();
      await holdsFor(
        message,
        async (asked) => {
          const [own, other] = await Promise.all([answerOf(ours, asked), answerOf(theirs, asked)]);
          expect(own).toBe(other);
          rcodes.set(own, (rcodes.get(own) ?? 0) + 1);
          expect(await contentsOf(ours)).toEqual(await contentsOf(theirs));
        },
        { numRuns: times(300, 20_000), endOnFailure: true },
      );
      // A long run reports the counts.
      if (IS_LONG) process.stderr.write(`messages beside named: ${JSON.stringify(Object.fromEntries(rcodes))}\n`);
      expect(rcodes.get('NOERROR')).toBeGreaterThan(0);
    },
    PATIENCE,
  );
});
