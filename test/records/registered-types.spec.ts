import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { linesOfExport, newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let domain: TestDomain;
beforeAll(async () => {
  service = await startTestService({
    SERVICE_CENTRAL__NAME_SERVERS: 'ns1.example.net.',
    SERVICE_POWERDNS__ENABLED: 'True',
  });
  domain = await newDomain(service);
});
afterAll(() => service.stop());

/** Types that need other records or have placement rules are tested elsewhere. */
const PLACED = new Set(['CNAME', 'DNAME', 'DS', 'NS', 'CDS', 'CDNSKEY']);
const FREE = STANDARD_TYPES.filter(({ name }) => !PLACED.has(name));

describe('the types of the IANA registry', () => {
  it.each(FREE.map((type) => [type.name, type] as const))('5.12 take %s by its name', async (name, type) => {
    const owner = type.owner === null ? domain.at(name.toLowerCase()) : domain.at('_x._tcp');
    const { data, priority } = type.example;
    const made = await domain.newRecord({ name: owner, type: name, data, priority });
    expect(await bodyOf(domain.get(made.id))).toMatchObject({ type: name, data, priority });
  });

  it('5.12 are exported and imported without a change', async () => {
    const file = await domain.export();
    expect(file).toContain('\tAFSDB\t1 afs.example.org.\n');
    expect(file).toMatch(/\tTYPE262\t\\# \d+ 03425443/);
    const other = await newDomain(service);
    await other.import(file.replaceAll(domain.name, other.name));
    const lines = linesOfExport(await other.export()).map((line) => line.replaceAll(other.name, domain.name));
    expect(lines.slice(1)).toEqual(linesOfExport(file).slice(1));
  });

  it('5.12 without a text form are octets, whose type is named by its number', async () => {
    const other = await newDomain(service);
    await other.import('x EID \\# 2 0102\ny TYPE11 \\# 5 c000020106\nz SINK \\# 3 000000\n');
    expect((await other.records()).map(({ type, data }) => `${type} ${data}`)).toEqual([
      'TYPE31 \\# 2 0102',
      'TYPE11 \\# 5 c000020106',
      'TYPE40 \\# 3 000000',
    ]);
    expect(await other.refuse('x EID 1\ny TYPE11 \\# 1 00\nz SINK\n')).toEqual([
      expect.stringContaining('write \\#, the number of octets'),
      expect.stringContaining('BIND would refuse the zone'),
      expect.stringContaining('missing'),
    ]);
  });

  it('5.12 are distinguished from unknown words', async () => {
    const faults = await domain.refuse('a BOGUS x\nb OPT x\nc MD a\nd NXT a\n');
    expect(faults).toEqual([
      '1:3 "BOGUS" is not a record type: write one like A, or TYPE and its number',
      '2:3 OPT stands in messages and never in a zone: leave it out',
      '3:3 MD is obsolete, and BIND loads no zone with it: use MX',
      '4:3 NXT is of the DNSSEC of RFC 2535, which is obsolete: leave it out',
    ]);
    const refused = async (type: string): Promise<string | undefined> =>
      (await refusalOf(domain.create({ name: domain.at('r'), type, data: 'x' }), 400, 'invalid_object')).errors?.[0]
        ?.message;
    expect(await refused('EID')).toContain('EID has no text form here: write TYPE31');
    expect(await refused('RRSIG')).toContain('RRSIG is made by signing the zone');
    expect(await refused('BOGUS')).toContain('"BOGUS" is not one of A, AAAA, MX');
  });

  it('5.12 of new zones known by name are imported from real files', async () => {
    const other = await newDomain(service);
    const done = await other.import(
      'a NID 10 0014:4fff:ff20:ee64\nb TYPE104 \\# 10 000a00144fffff20ee64\n' +
        'c HIP 2 200100107B1A74DF365639CC39F1D578 AwEAAQ==\nd CSYNC 1 3 A HIP NID\n',
    );
    expect(done).toMatchObject({ created: 4 });
    expect((await other.records()).map(({ type }) => type)).toEqual(['NID', 'NID', 'HIP', 'CSYNC']);
  });
});

describe('data as RFC 3597 writes it', () => {
  const OCTETS = String.raw`\# 4 03666f6f`;

  it('5.13 means its octets in version 1, and is stored in the form of its type', async () => {
    const record = await domain.newRecord({ name: domain.at('generic'), type: 'TXT', data: OCTETS });
    expect(record).toMatchObject({ data: '"foo"' });
    const mx = {
      name: domain.at('generic'),
      type: 'MX',
      data: String.raw`\# 11 000a 046d61696c026578 00`,
      priority: 10,
    };
    expect(await domain.newRecord(mx)).toMatchObject({ data: 'mail.ex.', priority: 10 });
    const errors = (await refusalOf(domain.create({ ...mx, priority: 11 }), 400, 'invalid_object')).errors;
    expect(errors?.[0]?.message).toContain('send that, or no priority');
    await refusalOf(domain.create({ name: domain.at('g'), type: 'TXT', data: '\\# 2 0561' }), 400, 'invalid_object');
  });

  it('5.13 means the same in version 2, in the PowerDNS API and in zone files', async () => {
    const other = await newDomain(service);
    const set = (label: string, data: string): object => ({ name: other.at(label), type: 'TXT', records: [data] });
    await answerOf(service.call('post', `/v2/zones/${other.id}/recordsets`, set('v2', OCTETS)), 202);
    await answerOf(
      service.call('patch', `/api/v1/servers/localhost/zones/${other.name}`, {
        rrsets: [
          { name: other.at('pdns'), type: 'TXT', ttl: 300, changetype: 'REPLACE', records: [{ content: OCTETS }] },
        ],
      }),
      204,
    );
    await other.import(`file TXT ${OCTETS}\n`);
    expect((await other.records()).map(({ data }) => data)).toEqual(['"foo"', '"foo"', '"foo"']);
  });
});

describe('service bindings, CAA and CSYNC', () => {
  const refused = async (type: string, data: string): Promise<string | undefined> =>
    (await refusalOf(domain.create({ name: domain.at('s'), type, data }), 400, 'invalid_object')).errors?.[0]?.message;

  it.each([
    ['HTTPS', '1 . alpn=h2 dohpath="/{?x,dns}"'],
    ['HTTPS', '1 . alpn=h2 dohpath="/q?x=1{&dns}"'],
    ['SVCB', String.raw`1 . alpn="\010\010"`],
    ['SVCB', '0 svc.example.net. alpn=a'],
    ['SVCB', '1 . tls-supported-groups=29,23 docpath=dns'],
    ['CSYNC', '66 3'],
    ['CSYNC', '66 3 A HIP NID'],
    ['CAA', '0 issue "ca.example.net; policy=ev"'],
    ['CERT', '1 0 99 AQID'],
  ])('5.14 take %s %s', async (type, data) => {
    expect(await domain.newRecord({ name: domain.at('s'), type, data })).toMatchObject({ data });
  });

  it.each([
    ['HTTPS', '1 . alpn=h2 dohpath="/%a{?dns}"', 'URI template'],
    ['HTTPS', String.raw`1 . alpn=h2 mandatory=\alpn`, 'RFC 9460 forbids'],
    ['HTTPS', String.raw`1 . ipv4hint=1\.2.3.4`, 'RFC 9460 forbids'],
    ['HTTPS', String.raw`1 . port=\0525`, 'RFC 9460 forbids'],
    ['CAA', '0 issue “ca.example.net”', 'typographic quotes'],
    ['CAA', '0 iodef "mailto:é@example.net"', 'not printable ASCII'],
  ])('5.14 refuse %s %s', async (type, data, reason) => {
    expect(await refused(type, data)).toContain(reason);
  });
});
