import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignedZoneCheck } from '../../src/dnssec/signed-zone-check.js';
import { SigningJobs } from '../../src/dnssec/signing/signing-jobs.js';
import { DomainName } from '../../src/dns/name.js';
import { ZoneSource } from '../../src/publishing/transfers/zone-source.js';
import { recordsOf } from '../publishing/read-copy.js';
import { answerOf, expectStatus, refusalOf } from '../support/answers.js';
import type { AssembledService } from '../support/assembled-service.js';
import { faultsOf, itWithJudges } from '../support/dnssec-judges.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { assembleSigningService } from '../support/signing-service.js';

const PRESENT = new AbortController().signal;
const LINES = `www 300 A 192.0.2.1
www 300 A 192.0.2.2
www AAAA 2001:db8::1
alias CNAME www
*.wild TXT "a;b \\" \\195\\164"
deep.empty.names A 192.0.2.3
child NS ns.child
ns.child A 192.0.2.4
child DS 60485 13 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
_sip._tcp SRV 1 2 5060 www
old DNAME new.example.net.
long 604800 A 192.0.2.5
odd TYPE65280 \\# 2 abcd
`;

/** A signaling record of another zone (RFC 9615). */
const SIGNAL = `_dsboot.example.net._signal CDS 60485 13 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
_dsboot.example.net._signal CDNSKEY 257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==
`;

let service: AssembledService;

beforeAll(async () => {
  service = await assembleSigningService();
});
afterAll(() => service.stop());

async function signedDomain(denial: string, lines: string): Promise<TestDomain> {
  const zone = await newDomain(service);
  await zone.import(lines);
  await answerOf(service.call('put', `/v1/domains/${zone.id}/dnssec`, { enabled: true, denial }));
  await signed(zone);
  return zone;
}

/** Resolves when the present state is published. */
function signed({ id }: TestDomain): Promise<void> {
  return service.get(SigningJobs).run(id, PRESENT);
}

const pathOf = ({ id }: TestDomain, query = '?signed=true'): string => `/v1/domains/${id}/export${query}`;

async function exportOf(zone: TestDomain): Promise<string> {
  return (await answerOf(service.call('get', pathOf(zone)))).text;
}

async function transferredRecords(zone: TestDomain): Promise<number> {
  // Injection tokens are abstract classes.
  const source: ZoneSource = service.get(ZoneSource as never);
  const found = await source.find(DomainName.parse(zone.name));
  const copy = await source.axfr(found!, PRESENT);
  return (await recordsOf(copy, zone.name)).length - 1;
}

describe.each(['nsec', 'nsec3'])('%s', (denial) => {
  itWithJudges(
    '15.6, 23.4: the signed export has all that name servers are sent, and is signed as it must be',
    async () => {
      const zone = await signedDomain(denial, LINES);
      const text = await exportOf(zone);
      expect(await faultsOf(zone.name, text)).toEqual([]);
      const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith(';'));
      expect(lines).toHaveLength(await transferredRecords(zone));
      expect(lines[0]).toMatch(/\tIN\tSOA\t/);
      expect(new Set(lines.map((line) => line.split('\t')[3]))).toEqual(
        new Set([
          ...['SOA', 'RRSIG', 'NS', 'DNSKEY', 'A', 'AAAA', 'CNAME', 'TXT', 'DS', 'SRV', 'DNAME', 'TYPE65280'],
          ...(denial === 'nsec' ? ['NSEC'] : ['NSEC3', 'NSEC3PARAM']),
        ]),
      );
      expect(text.includes(`; ${zone.name} serial ${lines[0]!.split(' ')[2]}\n`)).toBe(true);
    },
    60_000,
  );

  itWithJudges(
    '23.4: CDS and CDNSKEY below the apex are signed like other records',
    async () => {
      const zone = await signedDomain(denial, SIGNAL);
      const text = await exportOf(zone);
      // kzonecheck of Knot 3.2 takes each CDNSKEY for one of the zone's own.
      const faults = (await faultsOf(zone.name, text)).filter((fault) => !fault.startsWith('kzonecheck'));
      expect(faults).toEqual([]);
      expect(await service.get(SignedZoneCheck).faultsOf(zone.id, true)).toEqual([]);
      for (const type of ['CDS', 'CDNSKEY']) {
        expect(text).toMatch(new RegExp(`^_dsboot\\S+\\t\\d+\\tIN\\t${type}\\t`, 'm'));
        expect(text).toMatch(new RegExp(`^_dsboot\\S+\\t\\d+\\tIN\\tRRSIG\\t${type} `, 'm'));
      }
      expect(text.split('\n').filter((line) => line !== '' && !line.startsWith(';'))).toHaveLength(
        await transferredRecords(zone),
      );
    },
    60_000,
  );
});

describe('the signed export', () => {
  it('15.6: is known by its tag until something else is published', async () => {
    const zone = await signedDomain('nsec', 'www A 192.0.2.1\n');
    const { headers } = await answerOf(service.call('get', pathOf(zone)));
    const again = () => service.call('get', pathOf(zone)).set('If-None-Match', String(headers.etag));
    expectStatus(await again(), 304);
    await zone.newRecord({ name: zone.at('new') });
    await signed(zone);
    expect((await answerOf(again())).text).toContain(`${zone.at('new')}\t`);
    const { version } = await resigned(zone);
    expect(version).not.toBe(headers.etag);
  });

  it('15.6: refuses moments of the past, and domains that are not signed', async () => {
    const zone = await newDomain(service);
    await refusalOf(service.call('get', pathOf(zone)), 409, 'dnssec_conflict');
    await refusalOf(service.call('get', pathOf(zone, `?signed=true&serial=${zone.serial}`)), 400, 'invalid_object');
    await refusalOf(service.call('get', pathOf(zone, '?signed=yes')), 400, 'invalid_object');
    expectStatus(await service.as('stranger').call('get', pathOf(zone)), 404);
    expect((await answerOf(service.call('get', pathOf(zone, '?signed=false')))).text).toContain('\tSOA\t');
  });
});

/** All signatures change, no record does. */
async function resigned(zone: TestDomain): Promise<{ readonly version: string }> {
  await answerOf(service.call('post', `/v1/domains/${zone.id}/dnssec/resign`));
  await signed(zone);
  const { headers } = await answerOf(service.call('get', pathOf(zone)));
  return { version: String(headers.etag) };
}
