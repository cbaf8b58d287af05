import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { audit } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { holdsFor, times } from '../support/length.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTestService();
  zone = await newDomain(service, 'example.org.');
  await zone.import('a!b CNAME www\na>b DNAME example.net.\nMain\\032Printer CNAME www\n');
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

/** The cures that name an escape on purpose. */
const CURES = [
  'write \\010 for a line end inside',
  'write \\DDD for it in a text',
  'write \\DDD with three digits up to 255, or \\ and one character',
  'or \\" where it belongs to the item',
  'write \\" for it',
  'the data is not generic: write \\#,',
  'with data like \\# 4 c0000201',
];

function withoutCures(message: string): string {
  return CURES.reduce((text, cure) => text.replaceAll(cure, ''), message);
}

/** Characters in octets that a zone file may have: printable ASCII, others in UTF-8, and octets that are no UTF-8. */
const character = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...'abz019-_.') },
  { weight: 4, arbitrary: fc.constantFrom(...'!"#$%&\'()*+,/:;<=>?@[]^`{|}~') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\t', '\x01', '\x1b', '\x7f', '\xe9', '\xff', '\xc2\x9b', '\xe2\x80\x9c', 'xn--zz'),
  },
);
const word = fc.string({ unit: character, minLength: 1, maxLength: 90 });
const owner = fc.oneof(
  fc.constantFrom(
    '@',
    'www',
    '*',
    '*.a',
    'sub',
    'a!b',
    'x.a>b',
    'a>b',
    'a@b',
    '$b',
    '-a',
    '_a',
    '$TTL',
    '$ORIGIN',
    '$GENERATE 1-2',
  ),
  word,
);
const TYPES =
  'A AAAA MX NS CNAME DNAME TXT SRV CAA PTR SOA DS LOC NAPTR SVCB HTTPS APL CSYNC HIP URI SSHFP TLSA EUI48 RP HINFO CERT ' +
  'NSAP X25 GPOS AMTRELAY IPSECKEY L32 NID DNSKEY NSEC TYPE65280 TYPE1 MD ANY FOO CH';
const type = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...TYPES.split(' ')) }, { weight: 1, arbitrary: word });
const datum = fc.oneof(
  fc.constantFrom(
    '0',
    '1',
    '10',
    '256',
    '-1',
    '.',
    '@',
    'www',
    '192.0.2.1',
    '2001:db8::1',
    '"text"',
    '"a;b"',
    'alpn=',
    'ff',
    'N',
  ),
  fc.constantFrom(
    'AA==',
    '1:192.0.2.0/99',
    '1h',
    'issue',
    '51',
    'm',
    '!a!b!',
    '0-5-a',
    'key65535',
    'port=x',
    'dohpath=/',
  ),
  word,
  word.map((text) => `"${text}"`),
);
const line = fc
  .tuple(owner, fc.constantFrom('', '300 ', 'IN ', '9z '), type, fc.array(datum, { maxLength: 5 }))
  .map(([name, ttl, typeName, data]) => `${name} ${ttl}${typeName} ${data.join(' ')}`);

/** Files whose lines are valid alone, but conflict with each other or with stored records. */
const conflictingLine = fc
  .tuple(fc.constantFrom('a!b', 'x.a>b', 'a>b', 'a=b', 'c.a=b', '@', '*', 'a@b', '$b', '\xc3\xa9b'), fc.nat(5))
  .map(
    ([name, at]) =>
      `${name} ${['CNAME www', 'CNAME ftp', 'TXT a', 'DNAME example.com.', 'A 192.0.2.1', 'SOA a b 1 2 3 4 5'][at]}`,
  );

const file = fc.oneof(
  { weight: 2, arbitrary: fc.array(line, { minLength: 1, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.array(conflictingLine, { minLength: 1, maxLength: 8 }) },
);

async function judge(lines: readonly string[]): Promise<void> {
  const response = await zone.sendFile(Buffer.from(`${lines.join('\n')}\n`, 'latin1'), '?dry_run=true');
  const { errors = [], repairs = [], findings = [] } = response.body as Record<string, Record<string, string>[]>;
  if (response.status !== 200) expect(response.status).toBe(400);
  for (const { path, message = '' } of errors) {
    expect(path).toMatch(/^line [1-9][0-9]*, column [1-9][0-9]*$/);
    expect(withoutCures(message)).not.toContain('\\');
    expect(message).not.toMatch(/\p{Cc}/u);
    // The cause, and behind it the cure.
    expect(message.replace(/^(?:[A-Z0-9-]+|name): /, '')).toMatch(/(?:[:;,]|\. [A-Z]).* \S/s);
  }
  for (const { message = '', text = '' } of [...repairs, ...findings]) expect(`${message} ${text}`).not.toContain('\\');
}

describe('the refusal of a zone file without escapes', () => {
  it('15.2 names line, cause and cure, and quotes no escape', async () => {
    await holdsFor(file, judge, { numRuns: times(300, 5000) });
  });

  it.each([
    ['x TXT say"hi"', /a quote begins inside an item/],
    ['a"b"c A 192.0.2.1', /a quote begins inside an item/],
    ['x A "192.0.2.1"', /"192\.0\.2\.1" stands in quotes/],
    ['x CAA 0 iss"ue" a', /a quote begins inside an item/],
    ['a>b.example.net. SOA a b 1 2 3 4 5', /^1:1 "a>b\.example\.net\." lies outside/],
    ['a!c A 192.0.2.1', /"a!c\.example\.org\." has a "!": labels/],
    ['x MX 10 a!c', /"a!c\.example\.org\." is not a host name: /],
    ['caf\xe9 A 192.0.2.1', /"caf\ufffd\.example\.org\." has a character outside ASCII: labels/],
    ['x A caf\xe9', /"caf\ufffd" is not an IPv4 address: write one like/],
    ['caf\xc3\xa9 A 192.0.2.1', /"café" is not ASCII: write "xn--caf-dma"/],
    ['a!b TXT a', /which a!b\.example\.org\. has/],
  ])('15.2 quotes %j as the file has it', async (text, message) => {
    expect(await zone.refuse(Buffer.from(`${text}\n`, 'latin1'))).toEqual([expect.stringMatching(message)]);
  });

  it('15.2 quotes the escapes that the file has', async () => {
    expect(await zone.refuse('x A a\\032b\n')).toEqual([expect.stringContaining('"a\\032b" is not an IPv4 address')]);
  });
});
