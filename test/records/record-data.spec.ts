import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyOf, refusalOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { audit } from '../support/audit.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let domain: TestDomain;

beforeAll(async () => {
  service = await startTestService();
  domain = await newDomain(service, 'example.test.');
});
afterAll(() => service.stop());

/** Data alone, or data with its priority. */
type Sample = string | readonly [data: string, priority: unknown];

let owners = 0;

function recordOf(type: string, sample: Sample): { name: string; type: string; data: string; priority: unknown } {
  const [data, priority] = typeof sample === 'string' ? [sample, null] : sample;
  const label = `n${String(++owners)}`;
  return { name: domain.at(type === 'SRV' ? `_s._tcp.${label}` : label), type, data, priority };
}

/** Accepted means: answered, and read back octet for octet. */
async function expectAccepted(type: string, sample: Sample): Promise<void> {
  const record = recordOf(type, sample);
  const created = await bodyOf(domain.create(record));
  expect(created).toMatchObject(record);
  expect(await bodyOf(domain.get(created.id))).toEqual(created);
}

/** Expects 400 with a reason, and no stored change. */
async function expectRefused(type: string, sample: Sample, path = 'data'): Promise<void> {
  const record = recordOf(type, sample);
  const { errors } = await refusalOf(domain.create(record), 400, 'invalid_object');
  expect(errors).toMatchObject([{ path }]);
  expect(await bodyOf(domain.list(`?name=${record.name}`))).toEqual({ records: [] });
}

it.each<[string, Sample]>([
  ['MX', ['192.0.2.1', 10]],
  ['MX', ['2001:db8::1', 10]],
  ['NS', '192.0.2.53'],
  ['CNAME', '192.0.2.1'],
  ['PTR', '2001:db8::1'],
  ['SRV', ['0 5060 192.0.2.1', 10]],
])('5.1 %s with an address, %j, asks for the name of a host', async (type, sample) => {
  const { message } = await refusalOf(domain.create(recordOf(type, sample)), 400, 'invalid_object');
  expect(message).toMatch(/is an address: write the name of a host/);
  expect(message).not.toMatch(/end it with a dot/);
});

/** As the interface describes them in §2.2. */
describe('the ten types', () => {
  it.each<[string, Sample, Sample]>([
    ['A', '192.0.2.3', '2001:db8::3'],
    ['AAAA', '2001:db8::3', '192.0.2.3'],
    ['MX', ['mail.example.org.', 10], ['mail.example.org', 10]],
    ['CNAME', 'www.example.org.', 'www'],
    ['TXT', 'This is a TXT record', ''],
    ['SRV', ['0 5060 sip.example.org.', 10], ['10 0 5060 sip.example.org.', 10]],
    ['NS', 'ns1.example.org.', '192.0.2.53'],
    ['PTR', 'host.example.org.', 'host'],
    ['SPF', 'v=spf1 mx -all', ''],
    ['SSHFP', '2 1 123456789abcdef67890123456789abcdef67890', '2 1 1234'],
  ])('5.1 to 5.4 %s takes %j and not %j', async (type, accepted, refused) => {
    await expectAccepted(type, accepted);
    await expectRefused(type, refused);
  });

  it.each(['SOA', 'a', 'Mx', 'TYPE1', 'ANY', 'AXFR', 'OPT', '*', ' A', 'A '])(
    'takes no record of type %j',
    async (type) => {
      const body = { name: domain.at('typed'), type, data: '192.0.2.1' };
      const { errors } = await refusalOf(domain.create(body), 400, type === 'SOA' ? 'bad_request' : 'invalid_object');
      expect(errors).toMatchObject([{ path: 'type', validator: 'enum' }]);
    },
  );
});

describe('names in data', () => {
  const NAMED: [string, (name: string) => Sample][] = [
    ['CNAME', (name) => name],
    ['PTR', (name) => name],
    ['NS', (name) => name],
    ['MX', (name) => [name, 10]],
    ['SRV', (name) => [`0 1 ${name}`, 10]],
  ];

  describe.each(NAMED)('data of %s', (type, sampleOf) => {
    it.each(['www.example.org.', 'WWW.Example.ORG.', '_under.example.org.', 'xn--bcher-kva.example.', longName(255)])(
      '5.1 accepts %j',
      (name) => expectAccepted(type, sampleOf(name)),
    );

    it.each([
      'www.example.org',
      'www',
      '@',
      '*.example.org.',
      'bücher.example.',
      'www..example.org.',
      '.example.org.',
      ' www.example.org.',
      'www.example.org. ',
      'www.example.org.\t',
      'www.example.org.\n',
      'a b.example.org.',
      `${'l'.repeat(64)}.example.org.`,
      longName(256),
      'a\\300.example.org.',
      'a\\.example.org',
    ])('5.1 refuses %j', (name) => expectRefused(type, sampleOf(name)));
  });

  describe.each(NAMED.filter(([type]) => ['NS', 'MX', 'SRV'].includes(type)))(
    'that are hosts, of %s',
    (type, sampleOf) => {
      it('5.1 reads a decimal escape of a host character as it', async () => {
        await expectAccepted(type, sampleOf('\\109ail.example.org.'));
        const name = domain.at(type === 'SRV' ? '_a._tcp.escaped' : `escaped-${type}`);
        const [one, two] = ['\\109ail.example.org.', 'mail.example.org.'].map((text) => {
          const [data, priority] = typeof sampleOf(text) === 'string' ? [text, null] : sampleOf(text);
          return { name, type, data, priority };
        });
        await bodyOf(domain.create(one));
        await refusalOf(domain.create(two), 409, 'duplicate_record');
      });

      it.each([
        'a\\.b.example.org.',
        'a\\032b.example.org.',
        'a/b.example.org.',
        '-a.example.org.',
        'a-.example.org.',
        'a!b.example.org.',
      ])('5.1 refuses %j', (name) => expectRefused(type, sampleOf(name)));
    },
  );

  describe.each(NAMED.filter(([type]) => ['CNAME', 'PTR'].includes(type)))(
    'that may be any name, of %s',
    (type, sampleOf) => {
      it.each([
        'a\\.b.example.org.',
        'a\\032b.example.org.',
        '\\255.example.org.',
        'a/b.example.org.',
        'a\\"b.example.org.',
        '.',
      ])('5.1 accepts %j', (name) => expectAccepted(type, sampleOf(name)));

      it.each([
        'a\\000.example.org.',
        'a\\010.example.org.',
        'a\\127.example.org.',
        'a"b.example.org.',
        'a(b.example.org.',
      ])('5.1 refuses %j', (name) => expectRefused(type, sampleOf(name)));
    },
  );

  it.each([0, 10, 65535])('5.1 accepts the root as null MX with priority %d', (priority) =>
    expectAccepted('MX', ['.', priority]),
  );

  it('5.1 accepts the root as SRV target, not as name server', async () => {
    await expectAccepted('SRV', ['0 0 .', 0]);
    await expectRefused('NS', '.');
  });
});

/** An absolute name of `octets` octets on the wire. */
function longName(octets: number): string {
  return `${`${'l'.repeat(63)}.`.repeat(3)}${'e'.repeat(octets - 194)}.`;
}

describe('addresses', () => {
  it.each(['0.0.0.0', '192.0.2.1', '255.255.255.255'])('5.2 accepts the IPv4 address %s', (data) =>
    expectAccepted('A', data),
  );

  it.each([
    '192.0.2.01',
    '192.0.2.256',
    '192.0.2',
    '192.0.2.1.1',
    '0x7f.1',
    '1',
    '192.0.2.1/32',
    '192.0.2.1 ',
    '::ffff:192.0.2.1',
    '１.2.3.4',
  ])('5.2 refuses the IPv4 address %j', (data) => expectRefused('A', data));

  it.each([
    '::',
    '::1',
    '2001:db8::1',
    '2001:DB8:0:0:0:0:0:1',
    '1:2:3:4:5:6:7:8',
    '::ffff:192.0.2.1',
    '64:ff9b::192.0.2.33',
    '1::',
  ])('5.2 accepts the IPv6 address %s', (data) => expectAccepted('AAAA', data));

  it.each([
    'fe80::1%eth0',
    '[2001:db8::1]',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '12345::',
    'g::',
    ':::',
    '2001:db8::1/64',
    '::192.0.2.256',
    ':1',
  ])('5.2 refuses the IPv6 address %j', (data) => expectRefused('AAAA', data));
});

describe.each(['TXT', 'SPF'])('the text of %s', (type) => {
  it.each([
    'plain',
    'with blanks inside',
    'semi;colon (and parentheses)',
    '"quoted"',
    '"two" "strings"',
    '"a \\"quote\\" inside"',
    'a \\"quote\\" inside',
    'back\\\\slash',
    'semi\\;colon',
    '\\255\\000',
    '"\\032"',
    '""',
    'ünïcödé 🦆',
    't'.repeat(256),
    't'.repeat(4000),
    `"${'t'.repeat(255)}" "${'u'.repeat(255)}"`,
    "it's",
    '$ORIGIN example.net.',
    '@',
  ])('5.3 accepts %j and stores it as sent', (data) => expectAccepted(type, data));

  it.each([
    '',
    ' ',
    ' leading',
    'trailing ',
    '"quoted" ',
    'line\nfeed',
    'carriage\rreturn',
    'a\ttab',
    'a\u0085control',
    'a "quote" inside',
    'stray"',
    '"unclosed',
    '"closed" and "un',
    '"closed" bare',
    'dangling\\',
    '"dangling\\',
    'bad \\25 escape',
    'bad \\256 escape',
    'bad \\n escape',
  ])('5.3 refuses %j', (data) => expectRefused(type, data));

  it('5.3 rejects `"a b"` next to `a b`, which are equal', async () => {
    const name = domain.at(`same-${type}`);
    await bodyOf(domain.create({ name, type, data: 'a b' }));
    for (const data of ['"a b"', '"a\\032b"', '\\097 b'])
      await refusalOf(domain.create({ name, type, data }), 409, 'duplicate_record');
    await bodyOf(domain.create({ name, type, data: '"a" "b"' }));
  });
});

describe('SRV and SSHFP', () => {
  it.each(['0 0 sip.example.org.', '65535 65535 sip.example.org.'])('5.4 accepts the SRV data %j', (data) =>
    expectAccepted('SRV', [data, 10]),
  );

  it.each([
    '5060 sip.example.org.',
    'sip.example.org.',
    '10 5 5060 sip.example.org.',
    '5  5060 sip.example.org.',
    ' 5 5060 sip.example.org.',
    '5 5060 sip.example.org. ',
    '-1 5060 sip.example.org.',
    '65536 5060 sip.example.org.',
    '5 65536 sip.example.org.',
    '05 5060 sip.example.org.',
    '5\t5060 sip.example.org.',
    '0x5 5060 sip.example.org.',
    '5 5060 sip.example.org',
    '5 5060 192.0.2.1',
  ])('5.4 refuses the SRV data %j', (data) => expectRefused('SRV', [data, 10]));

  it.each([
    ...[1, 2, 3, 4, 6].map((algorithm) => `${String(algorithm)} 1 ${'a1'.repeat(20)}`),
    `4 2 ${'b2'.repeat(32)}`,
    `4 2 ${'B2'.repeat(32)}`,
  ])('5.4 accepts the SSHFP data %j', (data) => expectAccepted('SSHFP', data));

  it.each([
    `0 1 ${'a1'.repeat(20)}`,
    `5 1 ${'a1'.repeat(20)}`,
    `7 1 ${'a1'.repeat(20)}`,
    `256 1 ${'a1'.repeat(20)}`,
    `1 0 ${'a1'.repeat(20)}`,
    `1 3 ${'a1'.repeat(20)}`,
    `1 1 ${'a1'.repeat(32)}`,
    `1 2 ${'a1'.repeat(20)}`,
    `1 1 ${'a'.repeat(39)}`,
    `1 1 ${'g1'.repeat(20)}`,
    `1 1 ${'a1'.repeat(10)} ${'a1'.repeat(10)}`,
    '1 1',
    '1 1 ',
    `01 1 ${'a1'.repeat(20)}`,
  ])('5.4 refuses the SSHFP data %j', (data) => expectRefused('SSHFP', data));
});

interface RdataCase {
  readonly type: string;
  readonly data: string;
  readonly priority?: unknown;
  readonly expect: 'accept' | 'reject' | 'policy';
}

describe('the reference of record data (attack case 124)', () => {
  const all = JSON.parse(readFileSync('test/data/rdata-cases.json', 'utf8')) as RdataCase[];
  // src/dns/rdata/rdata-cases.spec.ts tests all cases; HTTP gets one of each type and verdict.
  const cases = [...new Map(all.toReversed().map((each) => [`${each.type} ${each.expect}`, each])).values()]
    .filter(({ expect: verdict }) => verdict !== 'policy')
    .map((each) => [each.type, each.data, each.expect, each] as const);

  it('5.8 is sampled twice for each of its types', () => {
    expect(cases).toHaveLength(2 * new Set(all.map(({ type }) => type)).size);
  });

  it.each(cases)('5.8 %s %j: %s', async (type, data, verdict, { priority = null }) => {
    if (verdict === 'accept') return expectAccepted(type, [data, priority]);
    const record = recordOf(type, [data, priority]);
    await refusalOf(domain.create(record), 400, 'invalid_object');
    expect(await bodyOf(domain.list(`?name=${record.name}`))).toEqual({ records: [] });
  });
});

it('leaves the database consistent', () => audit(service.databaseFile));
