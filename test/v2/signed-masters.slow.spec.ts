import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from '@jest/globals';
import { MetaType } from '../../src/dns/message/codes.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import { SOA } from '../../src/dns/rdata/index.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { faultsOf, genericText, JUDGE } from '../support/dnssec-judges.js';
import { MASTERS, startMaster } from '../support/masters.js';
import { query } from '../support/messages.js';
import { freePort } from '../support/name-servers/name-servers.js';
import type { PrimaryServer } from '../support/primary-servers.js';
import { itWith } from '../support/run-program.js';
import { startTestService, type TestService } from '../support/service.js';
import { FileSigner, SIGNER } from '../support/signed-files.js';
import { applied, transfer } from '../support/transfers.js';
import { until } from '../support/until.js';
import type { ListBody, ZoneBody } from '../support/v2.js';

const NAME = 'example.org.';
const SERIAL = 2_026_112_201;
const PATIENCE = 60_000;

interface Finding {
  readonly name: string;
  readonly type: string;
  readonly kind: string;
  readonly text?: string;
  readonly message: string;
}

const zoneFile = (serial: number, lines: readonly string[]): string =>
  [
    `$ORIGIN ${NAME}`,
    `@ 1800 IN SOA Master.Example.net. who\\.ever.example.net. ${serial} 3600 2 86400 300`,
    '@ 900 IN NS ns-of-master.example.net.',
    '@ 900 IN NS ns2',
    'ns2 300 IN A 192.0.2.2',
    'Www 60 IN A 192.0.2.1',
    'www 7200 IN AAAA 2001:db8::1',
    '*.wild 60 IN TXT "any"',
    'a.deep.name 60 IN MX 5 Www',
    'sub 60 IN NS ns.sub',
    'ns.sub 60 IN A 192.0.2.9',
    'secure 60 IN NS ns.secure',
    'secure 60 IN DS 1 13 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    'ns.secure 60 IN A 192.0.2.10',
    ...lines,
    '',
  ].join('\n');

let service: TestService;
let port: number;

beforeAll(async () => {
  port = await freePort();
  service = await startTestService({
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: `127.0.0.1:${port}`,
    SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
    SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.0/8',
    SERVICE_POWERDNS__ENABLED: 'True',
  });
});
afterAll(() => service.stop());

/** A record with all of its octets. */
function exact({ owner, type, ttl, rdata }: ResourceRecord): string {
  return `${owner.toString()} ${type} ${ttl} ${Buffer.from(rdata).toString('hex')}`;
}

async function recordsAt(server: number): Promise<readonly ResourceRecord[]> {
  return (await transfer(server, query(MetaType.AXFR))).records;
}

describe.each(['named', 'knotd'] as const)('with a signed primary, %s,', (software) => {
  describe.each(['nsec', 'nsec3'] as const)('by %s', (denial) => {
    const needs = { ...MASTERS[software](0).needs, ...SIGNER.needs, ...JUDGE.needs };
    const itWithMaster = itWith({ name: software, needs });
    let signer: FileSigner;
    let master: PrimaryServer;
    let zone: ZoneBody;

    const get = () => bodyOf<ZoneBody>(service.call('get', `/v2/zones/${zone.id}`));
    const hasSerial = (serial: number) => until(async () => (await get()).serial === serial, PATIENCE);

    beforeEach(async () => {
      signer = await FileSigner.start(NAME, denial);
      master = await startMaster(software, await signer.sign(zoneFile(SERIAL, [])), port);
      const body = { name: NAME, type: 'SECONDARY', masters: [`127.0.0.1:${master.port}`] };
      zone = await bodyOf<ZoneBody>(service.call('post', '/v2/zones', body), 202);
      await hasSerial(SERIAL);
    });
    afterEach(async () => {
      await answerOf(service.call('delete', `/v2/zones/${zone.id}`), 202);
      await master.stop();
      await signer.end();
      audit(service.databaseFile);
    });

    itWithMaster(
      '15.7 the check warns a week before its signatures expire',
      async () => {
        const check = async (): Promise<Finding[]> =>
          (await bodyOf<{ warnings: Finding[] }>(service.call('get', `/v1/domains/${zone.id}/check`))).warnings;
        const isOfSignatures = ({ kind }: Finding): boolean => kind === 'expiring_signatures';
        expect((await check()).filter(isOfSignatures)).toEqual([]);
        const expiresAt = Date.now() + 6 * 86_400_000;
        await master.reload(await signer.sign(zoneFile(SERIAL + 1, []), 6 * 86_400));
        await hasSerial(SERIAL + 1);
        const found = (await check()).filter(isOfSignatures);
        expect(found).toMatchObject([
          { name: NAME, type: 'RRSIG', message: expect.stringMatching(/^\d+ signatures expire/) },
        ]);
        expect(Math.abs(Date.parse(`${found[0]!.text}Z`) - expiresAt)).toBeLessThan(PATIENCE);
      },
      2 * PATIENCE,
    );

    itWithMaster(
      '13.11 a secondary zone is served octet for octet, also when it was signed anew',
      async () => {
        const before = await recordsAt(port);
        expect(before.map(exact).sort()).toEqual((await recordsAt(master.port)).map(exact).sort());
        expect(await faultsOf(NAME, genericText(before.slice(0, -1)))).toEqual([]);
        await master.reload(
          await signer.sign(zoneFile(SERIAL + 1, ['new 60 IN A 192.0.2.77', 'WWW 60 IN A 192.0.2.2'])),
        );
        await hasSerial(SERIAL + 1);
        const now = await recordsAt(port);
        expect(now.map(exact).sort()).toEqual((await recordsAt(master.port)).map(exact).sort());
        expect(await faultsOf(NAME, genericText(now.slice(0, -1)))).toEqual([]);
        const known = before.slice(0, -1);
        const { records } = await transfer(port, query(MetaType.IXFR, { authorities: [known[0]!] }));
        expect(records[1]?.type).toBe(SOA.code);
        const result = applied(known, records).map(exact);
        expect(new Set(result)).toEqual(new Set(now.map(exact)));
      },
      PATIENCE,
    );

    itWithMaster('13.11 shows its signatures as text, and lets no caller change them', async () => {
      const sets = `/v2/zones/${zone.id}/recordsets`;
      const { recordsets } = await bodyOf<ListBody<'recordsets', { id: string; type: string; records: string[] }>>(
        service.call('get', `${sets}?name=${NAME}&limit=1000`),
      );
      const shown = (type: string) => recordsets.find((set) => set.type === type)!;
      expect(shown('DNSKEY').records[0]).toMatch(/^25[67] 3 13 [A-Za-z0-9+/]+=*$/);
      expect(shown('RRSIG').records.join('\n')).toMatch(/^SOA 13 2 1800 \d{14} \d{14} \d+ example\.org\. \S+$/m);
      if (denial === 'nsec') expect(shown('NSEC').records[0]).toMatch(/^\S+\.example\.org\. .*\bRRSIG NSEC DNSKEY/);
      else expect(shown('NSEC3PARAM').records).toEqual(['1 0 3 aabb']);
      await answerOf(service.call('delete', `${sets}/${shown('DNSKEY').id}`), 403);
      const all = await bodyOf<{ records: { type: string; data: string; fields: object | null }[] }>(
        service.call('get', `/v1/domains/${zone.id}/records?type=RRSIG&fields=true`),
      );
      expect(all.records.length).toBeGreaterThan(5);
      expect(all.records[0]!.fields).toMatchObject({ algorithm: 13, signer: NAME });
      const { text } = await answerOf(service.call('get', `/api/v1/servers/localhost/zones/${NAME}`));
      const { rrsets } = JSON.parse(text) as { rrsets: { type: string; records: { content: string }[] }[] };
      expect(rrsets.find(({ type }) => type === 'DNSKEY')?.records[0]?.content).toMatch(/^25[67] 3 13 /);
      const file = (await answerOf(service.call('get', `/v1/domains/${zone.id}/export`).set('Accept', 'text/dns')))
        .text;
      expect(await faultsOf(NAME, file)).toEqual([]);
    });
  });
});
