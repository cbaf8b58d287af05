import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { refusalOf } from '../support/answers.js';
import { audit, contentsOf } from '../support/audit.js';
import { startTestService, type TestService } from '../support/service.js';
import { newDomain, type TestDomain } from '../support/domain.js';

let service: TestService;
let zone: TestDomain;
let before: unknown;

beforeAll(async () => {
  service = await startTestService({ SERVICE_CENTRAL__MIN_TTL: '30' });
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service.as('tenant-a', 'member'));
  await zone.import('www A 192.0.2.1\nalias CNAME www\nsub DNAME example.net.\na.over A 192.0.2.1\n');
  before = contentsOf(service.databaseFile);
});
/** Refused files leave no trace. */
afterEach(() => {
  expect(contentsOf(service.databaseFile)).toEqual(before);
  audit(service.databaseFile);
});

describe('refusals of a file, by line and column (attack cases 6, 7)', () => {
  it.each([
    ['a name outside the zone', 'inject.other.example. A 192.0.2.1\n', '1:1'],
    ['the same by $ORIGIN', '$ORIGIN other.example.\nx A 192.0.2.1\n', '2:1'],
    ['bad data', 'a A 192.0.2.1\nb A 192.0.2.256\n', '2:5'],
    ['a type that is none', 'a FOO bar\n', '1:3'],
    ['a name that the API refuses', 'under..dots A 192.0.2.1\n', '1:1'],
    ['a wildcard inside a name', 'a.*.b A 192.0.2.1\n', '1:1'],
    ['an owner with an escaped dot', 'a\\.b A 192.0.2.1\n', '1:1'],
    ['$INCLUDE', '$INCLUDE /etc/passwd\n', '1:1'],
    ['$GENERATE without end', '$GENERATE 1-1000000000 h$ A 192.0.2.1\n', '1:11'],
    ['a parenthesis that is never closed', 'a A 192.0.2.1\nb TXT ( "x"\nc A 192.0.2.2\n', '2:7'],
    ['a quote that is never closed', 'a TXT "open\nb A 192.0.2.1\n', '1:7'],
    ['a control character', 'a A 192.0.2.1\nb A 192.0.2.1\0\n', '2:14'],
    ['a CNAME at the apex', '@ CNAME www\n', '1:1'],
    ['a CNAME beside what is stored', 'www CNAME ftp\n', '1:1'],
    ['something beside a stored CNAME', 'alias A 192.0.2.1\n', '1:1'],
    ['two CNAMEs in the file', 'new CNAME a\nnew CNAME b\n', '2:1'],
    ['a CNAME beside another type of the file', 'new TXT x\nnew CNAME b\n', '2:1'],
    ['a DNAME over a stored name', 'over DNAME example.net.\n', '1:1'],
    ['a name below a stored DNAME', 'x.sub A 192.0.2.1\n', '1:1'],
    ['a null MX beside another', 'mx MX 10 mail\nmx MX 0 .\n', '2:1'],
    ['an MX beside a null MX of another priority', 'mx MX 10 .\nmx MX 10 mail\n', '2:1'],
    ['a ttl of 0', 'a 0 A 192.0.2.1\n', '1:1'],
    ['a ttl below the configured minimum', 'a 29 A 192.0.2.1\n', '1:1'],
    ['a SOA that is not at the apex', 'www SOA ns1 h 1 2 3 4 5\n', '1:1'],
    ['text in UTF-16', Buffer.from('\ufeffa A 192.0.2.1\n', 'utf16le'), '1:1'],
  ])('%s', async (_, file, place) => {
    expect(await zone.refuse(file)).toEqual([expect.stringMatching(new RegExp(`^${place} \\S.+`, 's'))]);
  });

  it.each([
    ['nothing at all', ''],
    ['nothing but comments', '; a file\n\n   ; without records\n'],
    ['nothing but directives', '\ufeff$TTL 300\n$ORIGIN example.org.\n'],
  ])('%s: a replacement by it would empty the domain', async (_, file) => {
    for (const query of ['', '?mode=replace', '?dry_run=true']) await zone.refuse(file, query);
  });

  it('15.2 a file with a SOA and no records may empty a domain', async () => {
    const empty = '@ SOA ns1 h 1 2 3 4 5\n';
    expect(await zone.import(empty, '?mode=replace&dry_run=true')).toMatchObject({ removed: 4, skipped: 1 });
  });

  it('15.2 lists every fault of the file in its order, with words that help', async () => {
    expect(await zone.refuse('a A 1.2.3\nb MX mail\nc FOO x\nd A 192.0.2.1\n( x\n')).toEqual([
      expect.stringMatching(/^1:5 A: /),
      expect.stringMatching(/^2:6 MX: /),
      expect.stringMatching(/^3:3 .*FOO/),
      expect.stringMatching(/^5:1 the parenthesis/),
    ]);
  });

  it('15.2 lists faults of place too, all of them', async () => {
    const faults = await zone.refuse('alias A 192.0.2.1\nok A 192.0.2.1\nx.sub A 192.0.2.1\n');
    expect(faults.map((fault) => fault.slice(0, 4))).toEqual(['1:1 ', '3:1 ']);
  });

  it('2.1, 15.2 lists a hundred errors and their total count', async () => {
    for (const [lines, number] of [
      [300, '300 faults'],
      [3000, 'at least 1000 faults'],
    ] as const) {
      const { errors, message } = await refusalOf(zone.sendFile('a A x\n'.repeat(lines)), 400, 'invalid_object');
      expect(errors).toHaveLength(100);
      expect(message).toBe(`The zone file has ${number}; nothing was stored. Only the first 100 errors are listed.`);
    }
  });

  it('2.1, 15.2 lists no more faults of place either', async () => {
    expect(await zone.refuse('alias A 192.0.2.1\n'.repeat(3000))).toHaveLength(100);
  });

  it('garbage', async () => {
    const octets = Buffer.from(Array.from({ length: 50_000 }, (__, at) => (at * 7919 + (at >> 3)) & 255));
    expect((await zone.refuse(octets)).length).toBeGreaterThan(0);
  });

  it('a million octets in one line', async () => {
    expect(await zone.refuse(`a TXT "${'x'.repeat(1_000_000)}`)).toHaveLength(1);
    expect(await zone.refuse('a'.repeat(1_040_000))).toHaveLength(1);
  });

  it('the last of many lines', async () => {
    const lines = Array.from({ length: 20_000 }, (__, at) => `h${String(at)} A 192.0.2.1`);
    lines[19_998] = 'h19998 A 192.0.2.';
    expect(await zone.refuse(lines.join('\n'))).toEqual([expect.stringMatching(/^19999:10 /)]);
  });
});
