import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DomainName } from '../../src/dns/name.js';
import { MetaType, RecordClass } from '../../src/dns/message/codes.js';
import { readTransferMessage } from '../../src/dns/message/message-reader.js';
import { TransferWriter } from '../../src/dns/message/transfer-writer.js';
import { TransferResponse } from '../../src/dns/message/transfer-response.js';
import type { Message, ResourceRecord } from '../../src/dns/message/message.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { dnsAnswer, HostileMaster, record, soaRecord } from '../support/hostile-master.js';
import { holdsFor, times } from '../support/length.js';
import { query } from '../support/messages.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { startTestService, type TestService } from '../support/service.js';
import { transfer } from '../support/transfers.js';
import { until } from '../support/until.js';
import type { ZoneBody } from '../support/v2.js';

const NAME = 'example.org.';
const PATIENCE = 60_000;

let service: TestService;
let master: HostileMaster;
let port: number;
let zone: ZoneBody;
let serial = 1;

beforeAll(async () => {
  port = await freePort();
  service = await startTestService({
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: `127.0.0.1:${port}`,
    SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
    SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.1',
    SERVICE_POWERDNS__ENABLED: 'True',
  });
  master = await HostileMaster.start({ axfr: () => [] });
});
afterAll(async () => {
  await service.stop();
  master.stop();
});
beforeEach(async () => {
  serial += 1;
  serve([]);
  const body = { name: NAME, type: 'SECONDARY', masters: [master.address] };
  zone = await bodyOf<ZoneBody>(service.call('post', '/v2/zones', body), 202);
});
afterEach(async () => {
  await answerOf(service.call('delete', `/v2/zones/${zone.id}`), 202);
  audit(service.databaseFile);
});

function serve(records: readonly ResourceRecord[], soa = soaRecord(NAME, serial)): void {
  master.manners = {
    soa: (asked) => dnsAnswer(asked, [soa]),
    axfr: (asked) => messagesOf(asked, [soa, ...records, soa]),
  };
}

function messagesOf(asked: Message, records: readonly ResourceRecord[]): Buffer[] {
  const writer = new TransferWriter(DomainName.parse(NAME));
  const response = new TransferResponse(asked, null, null);
  const sections = records.map(({ owner, type, ttl, rdata }) => writer.add(owner, type, ttl, rdata));
  return [...sections, writer.finish()].flatMap((section) => (section === null ? [] : [response.frame(section)]));
}

function exact({ owner, type, ttl, rdata }: ResourceRecord): string {
  return `${owner.toString()} ${type} ${ttl} ${Buffer.from(rdata).toString('hex')}`;
}

/** The served zone once it matches the primary. */
async function served(records: readonly ResourceRecord[], soa?: ResourceRecord): Promise<string[]> {
  serial += 1;
  serve(records, soa ?? soaRecord(NAME, serial));
  await answerOf(service.call('post', `/v2/zones/${zone.id}/tasks/xfr`), 202);
  const wanted = serial;
  await until(
    async () => (await bodyOf<ZoneBody>(service.call('get', `/v2/zones/${zone.id}`))).serial === wanted,
    PATIENCE,
  );
  const answer = await transfer(port, query(MetaType.AXFR), null, readTransferMessage);
  return answer.records.slice(1, -1).map(exact).sort();
}

async function expectServed(records: readonly ResourceRecord[]): Promise<void> {
  expect(await served(records)).toEqual([...new Set(records.map(exact))].sort());
}

const host = (name: string): Uint8Array => DomainName.parse(name).wire;
const texts = (size: number, first: number): Uint8Array =>
  Buffer.concat(Array.from({ length: size }, (_, at) => Buffer.of(250, ...Buffer.alloc(250, first + (at % 7)))));
const [A, NS, CNAME, SOA, MX, TXT, AAAA, SRV, DNAME, DS, RRSIG, NSEC, SVCB, CAA] = [
  ...[1, 2, 5, 6, 15, 16, 28, 33, 39, 43, 46, 47, 64, 257],
] as const;
const LONGEST = `${`${'\\255'.repeat(62)}.`.repeat(3)}${'\\001'.repeat(49)}.${NAME}`;

describe('13.11 a secondary zone is served as its primary has it', () => {
  it.each<[string, ResourceRecord[]]>([
    [
      'a CNAME beside an A',
      [record(`x.${NAME}`, CNAME, host('www.example.net.')), record(`x.${NAME}`, A, Buffer.of(192, 0, 2, 1))],
    ],
    ['two CNAME at a name', ['a.example.', 'b.example.'].map((target) => record(`x.${NAME}`, CNAME, host(target)))],
    ['names below a DNAME', [record(`x.${NAME}`, DNAME, host('a.example.')), record(`a.x.${NAME}`, TXT, texts(1, 65))]],
    [
      'NS, DS and CNAME where they mean nothing',
      [
        record(`*.${NAME}`, NS, host('ns1.example.net.')),
        record(NAME, DS, Buffer.from('aabb0d02', 'hex')),
        record(NAME, CNAME, host('www.example.net.')),
      ],
    ],
    ['an SOA below its apex', [soaRecord(`sub.${NAME}`, 3)]],
    ['a null MX beside others', [record(NAME, MX, Buffer.of(0, 0, 0)), record(NAME, MX, Buffer.of(0, 5, 1, 97, 0))]],
    [
      'types without a name, with data and without',
      [
        record(`t.${NAME}`, 65_280, Buffer.of(1, 2, 3)),
        record(`t.${NAME}`, 65_281, Buffer.of()),
        record(`t.${NAME}`, 11, Buffer.from('c000020106', 'hex')),
      ],
    ],
    [
      'owner names of any octets',
      [
        record(`a\\.b.${NAME}`, A, Buffer.of(192, 0, 2, 1)),
        record(
          `Main\\032Printer._ipp._tcp.${NAME}`,
          SRV,
          Buffer.concat([Buffer.of(0, 0, 0, 0, 0, 1), host('p.example.')]),
        ),
        record(`\\000\\255.${NAME}`, TXT, texts(1, 65)),
        record(`-.*.--.${NAME}`, TXT, texts(1, 65)),
        record(LONGEST, TXT, texts(1, 65)),
      ],
    ],
    [
      'octets that are not of their type',
      [
        record(`o.${NAME}`, A, Buffer.of(192, 0, 2, 1)),
        record(`o.${NAME}`, A, Buffer.of(192, 0, 2)),
        record(`o.${NAME}`, AAAA, Buffer.of()),
        record(`o.${NAME}`, TXT, Buffer.of()),
        record(`o.${NAME}`, TXT, Buffer.of(9, 65)),
        record(`o.${NAME}`, MX, Buffer.of(0)),
        record(`o.${NAME}`, SVCB, Buffer.from('00010000010005036832', 'hex')),
        record(`o.${NAME}`, CAA, Buffer.of(0, 200)),
        record(`o.${NAME}`, RRSIG, Buffer.of(0, 1)),
        record(`o.${NAME}`, NSEC, Buffer.from('0000ff01', 'hex')),
      ],
    ],
    [
      'signatures of several TTLs at a name',
      [60, 300, 300].map((ttl, at) =>
        record(
          `s.${NAME}`,
          RRSIG,
          Buffer.concat([Buffer.of(0, at + 1, 13, 3, 0, 0, 1, 44, ...Buffer.alloc(10)), host(NAME), Buffer.of(at)]),
          ttl,
        ),
      ),
    ],
    [
      'a set that no message holds',
      Array.from({ length: 300 }, (_, at) =>
        record(`t.${NAME}`, TXT, Buffer.concat([texts(1, 65), Buffer.of(1, at % 256, 1, at >> 8)])),
      ),
    ],
  ])('13.11 %s', async (_, records) => {
    await expectServed(records);
    // Also where it was there, and where it is taken away.
    await expectServed([...records, record(`more.${NAME}`, A, Buffer.of(192, 0, 2, 9))]);
    await expectServed([]);
  });

  it('13.11 with an SOA whose TTL and timers are 0, and whose names no host has', async () => {
    const data = Buffer.concat([host('*.A\\000.example.'), host('\\@.example.'), Buffer.alloc(20)]);
    data.writeUInt32BE(serial + 1, data.length - 20);
    const soa = record(NAME, SOA, data, 0);
    expect(await served([], soa)).toEqual([]);
    const { records } = await transfer(port, query(MetaType.AXFR));
    expect(records.map(exact)).toEqual([exact(soa), exact(soa)]);
  });

  it('13.11 with the spelling that names have now', async () => {
    const spelled = (owner: string, target: string) => [
      record(`${owner}.${NAME}`, MX, Buffer.concat([Buffer.of(0, 1), host(target)])),
    ];
    await expectServed(spelled('mail', 'a.example.'));
    await expectServed(spelled('MAIL', 'a.example.'));
    await expectServed(spelled('MAIL', 'A.example.'));
  });

  it('13.11 without types that stand in no zone', async () => {
    const kept = record(`x.${NAME}`, A, Buffer.of(192, 0, 2, 1));
    expect(await served([kept, record(`x.${NAME}`, 252, Buffer.of(1)), record(`x.${NAME}`, 0, Buffer.of())])).toEqual([
      exact(kept),
    ]);
  });

  it('13.11 shows octets that are not of their type under its number', async () => {
    await served([record(`o.${NAME}`, A, Buffer.of(192, 0, 2)), record(`a\\.b.${NAME}`, A, Buffer.of(192, 0, 2, 1))]);
    const { recordsets } = await bodyOf<{ recordsets: { name: string; type: string; records: string[] }[] }>(
      service.call('get', `/v2/zones/${zone.id}/recordsets?limit=100`),
    );
    const shown = recordsets.map(({ name, type, records }) => [name, type, ...records]);
    expect(shown).toContainEqual([`o.${NAME}`, 'TYPE1', '\\# 3 c00002']);
    expect(shown).toContainEqual([`a\\.b.${NAME}`, 'A', '192.0.2.1']);
    const { text } = await answerOf(service.call('get', `/api/v1/servers/localhost/zones/${NAME}`));
    expect(text).toContain('\\\\# 3 c00002');
    const file = await answerOf(service.call('get', `/v1/domains/${zone.id}/export`).set('Accept', 'text/dns'));
    expect(file.text).toMatch(/^o\.example\.org\.\t60\tIN\tTYPE1\t\\# 3 c00002$/m);
  });

  it(
    '13.11 with records of any type',
    async () => {
      const label = fc
        .uint8Array({ minLength: 1, maxLength: 12 })
        .map((octets) => Buffer.concat([Buffer.of(octets.length), octets]));
      const owner = fc
        .array(label, { maxLength: 4 })
        .map((labels) => DomainName.read(Buffer.concat([...labels, host(NAME)])));
      const code = fc.oneof(
        fc.constantFrom(
          1,
          2,
          5,
          12,
          13,
          15,
          16,
          18,
          28,
          29,
          33,
          35,
          39,
          43,
          46,
          47,
          48,
          50,
          52,
          60,
          62,
          64,
          65,
          99,
          257,
        ),
        fc.integer({ min: 66, max: 120 }),
        fc.integer({ min: 256, max: 65_534 }),
      );
      // Where a name is expected, octets that cannot be one: others would be read as a compressed one.
      const rdata = fc.oneof(
        fc
          .uint8Array({ maxLength: 40 })
          .map((octets) => octets.map((octet, at) => (at < 8 ? (octet & 0x3f) | 0x40 : octet))),
        owner.map(({ wire }) => wire),
      );
      const arbitrary = fc.array(fc.record({ owner, type: code, rdata }), { maxLength: 30 });
      await holdsFor(
        arbitrary,
        async (records) => {
          await expectServed(
            oneSpelling(records.map((one) => ({ ...one, class: RecordClass.IN, ttl: one.type % 1000 }))),
          );
        },
        { numRuns: times(15, 300) },
      );
    },
    times(PATIENCE, 10 * PATIENCE),
  );
});

/** Uses one case for each name, and joins records whose data differ only in the case of names. */
function oneSpelling(records: readonly ResourceRecord[]): ResourceRecord[] {
  const lower = (octets: Uint8Array) => octets.map((octet) => (octet >= 65 && octet <= 90 ? octet + 32 : octet));
  return records.map((one) => ({ ...one, owner: one.owner.canonical, rdata: lower(one.rdata) }));
}
