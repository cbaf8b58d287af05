import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';
import { newDomain, type TestDomain } from '../support/domain.js';

let service: TestService;
let zone: TestDomain;
let zones = 0;

beforeAll(async () => {
  service = await startTestService({
    SERVICE_CENTRAL__NAME_SERVERS: 'ns1.example.net., ns.own.example.org.',
    DEFAULT__QUOTA_RECORDSET_RECORDS: '200',
  });
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service, `z${String((zones += 1))}.example.org.`);
});

const DIGEST = 'ab'.repeat(32);

/** Errors and warnings as `owner TYPE`, the owner relative to the zone. */
async function findingsOf(file: string): Promise<{ errors: string[]; warnings: string[] }> {
  await zone.import(file);
  const { errors, warnings } = await zone.check();
  const places = (findings: typeof errors) =>
    findings.map(({ name, type }) => `${name === zone.name ? '@' : name.slice(0, -zone.name.length - 1)} ${type}`);
  return { errors: places(errors), warnings: places(warnings) };
}

/** Records of `count` private types. */
function typesAt(name: string, count: number): string {
  return Array.from({ length: count }, (_, at) => `${name} TYPE${65_281 + at} \\# 1 00\n`).join('');
}

describe('15.7 findings of a check', () => {
  it.each([
    ['nothing about 100 records in a set', '$GENERATE 1-100 many A 198.18.0.$\n'],
    ['nothing about 100 types at a name', typesAt('many', 100)],
    ['nothing in an empty domain', '@ SOA ns h 1 2 3 4 5\n'],
    ['nothing where every target has its address', '@ NS ns\n@ MX 10 mx\nns A 192.0.2.1\nmx AAAA 2001:db8::1\n'],
    [
      'nothing about targets elsewhere',
      '@ NS ns.example.com.\n@ MX 10 mx.example.com.\n_s._tcp SRV 1 1 1 x.example.com.\n',
    ],
    ['nothing about a null MX and a SRV of "."', '@ MX 0 .\n_s._tcp SRV 0 0 0 .\n'],
    ['nothing where a wildcard has the address', '@ MX 10 a.w\n*.w A 192.0.2.1\n'],
    ['nothing where a wildcard some labels up has it', '@ NS a.b.w\n*.w A 192.0.2.1\n'],
    ['nothing about a delegation with DS and glue', `sub NS ns.sub\nns.sub A 192.0.2.1\nsub DS 1 8 2 ${DIGEST}\n`],
    ['nothing about CDS and CDNSKEY that end DNSSEC', '@ CDS 0 0 0 00\n@ CDNSKEY 0 3 0 AA==\n'],
    ['nothing about an address at the cut itself', 'sub NS sub\nsub A 192.0.2.1\n'],
    ['nothing about an exchanger below a delegation', '@ MX 10 mail.sub\nsub NS ns.example.com.\n'],
  ])('%s', async (_, file) => {
    expect(await findingsOf(file)).toEqual({ errors: [], warnings: [] });
  });

  it.each([
    ['an apex NS without address', '@ NS ns\n', '@ NS'],
    ['an apex NS that is a CNAME', '@ NS ns\nns CNAME www\nwww A 192.0.2.1\n', '@ NS'],
    ['an apex NS below a DNAME', '@ NS ns.d\nd DNAME example.net.\n', '@ NS'],
    ['a delegation without the glue that it needs', 'sub NS ns.sub\n', 'sub NS'],
    ['a delegation to a name without address', 'sub NS ns.other\n', 'sub NS'],
    ['a delegation to a CNAME', 'sub NS ns\nns CNAME www\nwww A 192.0.2.1\n', 'sub NS'],
    ['a wildcard that does not reach a name that exists', '@ NS a.w\na.w TXT x\n*.w A 192.0.2.1\n', '@ NS'],
    ['a wildcard above a name that exists', '@ NS a.b.w\nx.b.w TXT x\n*.w A 192.0.2.1\n', '@ NS'],
  ])('error: %s', async (_, file, place) => {
    expect(await findingsOf(file)).toEqual({ errors: [place], warnings: [] });
  });

  it.each([
    ['an exchanger without address', '@ MX 10 mx\n', ['@ MX']],
    ['an exchanger that is a CNAME', '@ MX 10 mx\nmx CNAME www\nwww A 192.0.2.1\n', ['@ MX']],
    ['a service at a name without address', '_s._tcp SRV 1 1 1 host\n', ['_s._tcp SRV']],
    ['each of several targets', '@ MX 10 a\n@ MX 20 b\n', ['@ MX', '@ MX']],
    ['a name server in another delegation, without glue', 'a NS ns.b\nb NS ns.example.com.\n', ['a NS']],
    ['DS where nothing is delegated', `sub DS 1 8 2 ${DIGEST}\n`, ['sub DS']],
    ['what a delegation hides, below it', 'sub NS ns.example.com.\nx.sub TXT x\ny.x.sub A 192.0.2.1\n', ['x.sub TXT']],
    [
      'what it hides at the cut, whatever the type',
      'sub NS ns.example.com.\nsub MX 0 .\nsub TXT x\n',
      ['sub MX', 'sub TXT'],
    ],
    ['CDS at the apex without DNSKEY, which BIND refuses', `@ CDS 1 8 2 ${DIGEST}\n`, ['@ CDS']],
    ['CDNSKEY there', '@ CDNSKEY 257 3 8 AwEAAQ==\n', ['@ CDNSKEY']],
    [
      'a set of more than 100 records, for which BIND refuses the zone',
      '$GENERATE 1-101 many A 198.18.0.$\n',
      ['many A'],
    ],
    ['a name with more than 100 types, for which BIND refuses it', typesAt('many', 101), ['many TYPE65281']],
    ['a delegation below another', 'sub NS ns.example.com.\nx.sub NS ns.example.com.\n', ['x.sub NS']],
  ])('warning: %s', async (_, file, places) => {
    expect(await findingsOf(file)).toEqual({ errors: [], warnings: places });
  });

  it.each([
    ['@ MX 10 mx\n', 'no_address', 'mx'],
    ['@ MX 10 mx\nmx CNAME www\nwww A 192.0.2.1\n', 'alias_target', 'mx'],
    ['sub NS ns.sub\n', 'missing_glue', 'ns.sub'],
    ['a NS ns.b\nb NS ns.example.com.\n', 'optional_glue', 'ns.b'],
    ['sub NS ns.example.com.\nx.sub TXT x\n', 'below_delegation', 'sub'],
    [`sub DS 1 8 2 ${DIGEST}\n`, 'missing_type', 'NS'],
    ['_x A 192.0.2.1\n', 'not_a_host_name', undefined],
    ['$GENERATE 1-101 many A 198.18.0.$\n', 'too_many_records', '101'],
    [typesAt('many', 101), 'too_many_types', '101'],
    ['_dns SVCB 1 ns port=853\nns A 192.0.2.1\n', 'missing_alpn', undefined],
    ['_dns SVCB 1 ns alpn=h2\nns A 192.0.2.1\n', 'missing_dohpath', undefined],
    ['x HTTPS 0 www.example.net. port=443\n', 'alias_parameters', undefined],
    ['x IPSECKEY 10 0 4 . AQID\n', 'unsupported_algorithm', '4'],
    ['sub NS ns.example.net.\nsub DS 1 8 255 abcd\n', 'unsupported_digest', '255'],
  ])('15.12 have a kind, and its value: %j', async (file, kind, value) => {
    await zone.import(file);
    const { errors, warnings } = await zone.check();
    const isName = value !== undefined && /^[a-z]/.test(value);
    const text = isName ? zone.at(value) : value;
    expect([...errors, ...warnings]).toContainEqual({
      ...{ name: expect.any(String), type: expect.any(String), message: expect.any(String) },
      ...(text === undefined ? { kind } : { kind, text }),
    });
  });

  it('also checks the name servers of the service, and reports faults', async () => {
    const own = await newDomain(service, 'own.example.org.');
    expect(await own.check()).toEqual({
      errors: [
        {
          ...{ name: own.name, type: 'NS', kind: 'no_address', text: 'ns.own.example.org.' },
          message: expect.stringContaining('ns.own.example.org.'),
        },
      ],
      warnings: [],
    });
    await own.import('ns A 192.0.2.1\n');
    expect(await own.check()).toEqual({ errors: [], warnings: [] });
  });

  it('9.6, 15.7 warns in a plan of the change that makes a set too large for BIND', async () => {
    await zone.import('$GENERATE 1-100 many A 198.18.0.$\n');
    const record = { name: zone.at('many'), type: 'A', data: '198.18.1.1' };
    const path = `/v1/domains/${zone.id}/changes?dry_run=true&findings=true`;
    const { body } = await service.call('post', path, { changes: [{ action: 'create', record }] });
    expect(body).toMatchObject({
      findings: [{ name: record.name, type: 'A', message: expect.stringContaining('max-records-per-type') }],
    });
  });

  it('lists a thousand findings and no more', async () => {
    await zone.import('$GENERATE 1-1100 h$ MX "10 none$"\n');
    expect((await zone.check()).warnings).toHaveLength(1000);
  });
});
