import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

let service: TestService;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTestService({
    SERVICE_CENTRAL__NAME_SERVERS: 'ns1.example.net.',
    SERVICE_POWERDNS__ENABLED: 'True',
  });
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service);
});
afterEach(() => audit(service.databaseFile));

const KEY = 'GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==';
const DIGEST = 'aa'.repeat(32);
const CDS = `@ 3600 IN CDS 1 13 2 ${DIGEST}\n`;
const CDNSKEY = `@ 3600 IN CDNSKEY 257 3 13 ${KEY}\n`;
const ZONEMD = `@ 3600 IN ZONEMD 7 1 1 ${'bb'.repeat(48)}\n`;
const SIGNATURE = '20261222142653 20261124112653 1 @ c2lnbmF0dXJl';

/** Signing records before the records they sign, as Knot writes them, and RRSIG by its number. */
const signedFile = (before: string): string => `$TTL 3600
@ 3600 IN SOA ns1.example.net. hostmaster 7 3600 600 1209600 3600
${before}@ 3600 IN NS ns1.example.net.
@ 3600 IN RRSIG SOA 13 2 3600 ${SIGNATURE}
@ 3600 IN TYPE46 \\# 4 00000000
@ 3600 IN DNSKEY 257 3 13 ${KEY}
@ 0 IN NSEC3PARAM 1 0 0 -
www 300 IN A 192.0.2.3
www 300 IN RRSIG A 13 3 300 ${SIGNATURE}
sub 300 IN NS ns.example.net.
sub 300 IN DS 1 13 2 ${DIGEST}
0p9mhaveqvm6t7vbl5lop2u3t2rp3tom 3600 IN NSEC3 1 0 0 - 2t7b4g4vsa5smi47k61mv5bv1a22bojr A RRSIG
a 300 IN NSEC www A NSEC
`;
const DROPPED = { RRSIG: 3, DNSKEY: 1, NSEC3PARAM: 1, NSEC3: 1, NSEC: 1 };

function lines(dropped: Readonly<Record<string, number>>): string[] {
  return Object.entries(dropped).map(
    ([type, count]) =>
      `dropped ${count} ${type} record${count === 1 ? '' : 's'}: the service makes them when it signs the zone`,
  );
}

const typesIn = async (domain: TestDomain): Promise<string[]> =>
  (await domain.records()).map(({ type }) => type).sort();

describe('an import of a signed zone', () => {
  it.each(['merge', 'replace'])('15.3 by %s drops signing records, and counts them by type', async (mode) => {
    const report = await zone.import(signedFile(CDS + CDNSKEY + ZONEMD), `?mode=${mode}`);
    const { repairs, ...counts } = report;
    const dropped = { CDS: 1, CDNSKEY: 1, ZONEMD: 1, ...DROPPED };
    expect(repairs.map(({ message }) => message).sort()).toEqual(lines(dropped).sort());
    expect(counts).toEqual({ mode, dry_run: false, created: 3, updated: 0, unchanged: 0, removed: 0, skipped: 2 });
    expect(await typesIn(zone)).toEqual(['A', 'DS', 'NS']);
  });

  it('15.3 a dry run says the same and stores nothing', async () => {
    const { repairs } = await zone.import(signedFile(''), '?dry_run=true');
    expect(repairs.map(({ message }) => message).sort()).toEqual(lines(DROPPED).sort());
    expect(await zone.records()).toEqual([]);
  });

  it('15.3 CDS and CDNSKEY of an unsigned file are records like others', async () => {
    const report = await zone.import(`$TTL 3600\n${CDS}${CDNSKEY}www A 192.0.2.3\n`);
    expect(report).toMatchObject({ created: 3, repairs: [] });
    expect(await typesIn(zone)).toEqual(['A', 'CDNSKEY', 'CDS']);
  });

  it('13.5 a version 2 task reports dropped records in its message', async () => {
    const name = freshName();
    const file = `$ORIGIN ${name}\n@ 3600 IN RRSIG SOA 13 2 3600 ${SIGNATURE}\n${signedFile(CDS)}`;
    const posted = service.call('post', '/v2/zones/tasks/imports').set('Content-Type', 'text/dns').send(file);
    const { id } = await bodyOf<{ id: string }>(posted, 202);
    const shown = () =>
      bodyOf<{ status: string; message: string; zone_id: string }>(
        service.call('get', `/v2/zones/tasks/imports/${id}`),
      );
    await until(async () => (await shown()).status !== 'PENDING');
    const { status, message } = await shown();
    const [first, ...repairs] = message.split('; ');
    expect([status, first]).toEqual(['COMPLETE', `${name} imported`]);
    expect(repairs.sort()).toEqual(lines({ ...DROPPED, RRSIG: 4, CDS: 1 }).sort());
  });

  it('21.4 a zone text of the PowerDNS API is taken without them', async () => {
    const name = freshName();
    const body = { name, kind: 'Native', zone: `$ORIGIN ${name}\n${signedFile(CDS)}` };
    const { text } = await answerOf(service.call('post', '/api/v1/servers/localhost/zones', body), 201);
    const { rrsets } = JSON.parse(text) as { rrsets: { type: string }[] };
    expect(rrsets.map(({ type }) => type).sort()).toEqual(['A', 'DS', 'NS', 'NS', 'SOA']);
  });
});
