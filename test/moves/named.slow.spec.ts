import { afterAll, beforeAll, expect } from '@jest/globals';
import type { DomainReadDto } from '../../src/moves/v1/dto/domain-read.dto.js';
import { DomainName } from '../../src/dns/name.js';
import { bodyOf } from '../support/answers.js';
import { KNOTD, NAMED, type PrimaryServer, startPrimary } from '../support/primary-servers.js';
import { itWith } from '../support/run-program.js';
import { startTestService, type TestService } from '../support/service.js';

const SECRET = Buffer.from('a secret of thirty-two octets!!!');
const KEY = { name: DomainName.parse('transfer.'), algorithm: 'hmac-sha256', secret: SECRET } as const;
const ASKED_KEY = { name: 'transfer', algorithm: 'hmac-sha256', secret: SECRET.toString('base64') };
/** Several messages of 64 KiB. */
const RECORDS = 6000;
const ZONE = [
  '$ORIGIN example.org.',
  '@ 3600 IN SOA ns1.example.net. who.example.net. 7 3600 600 86400 300',
  '@ 3600 IN NS ns1.example.net.',
  'www 300 IN A 192.0.2.3',
  '_sip._tcp 300 IN SRV 0 0 5060 sip',
  'sip 300 IN AAAA 2001:db8::1',
  ...Array.from({ length: RECORDS }, (_, at) => `host-${at} 300 IN TXT "text of host ${at}"`),
  '',
].join('\n');

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.0/8',
    SERVICE_API__MAX_BODY_SIZE: '8 MiB',
  });
});
afterAll(() => service.stop());

for (const software of [NAMED, KNOTD])
  itWith(software)(`15.10 reads a domain at ${software.name}, by a signed transfer and by queries`, async () => {
    const server: PrimaryServer = await startPrimary(software, ZONE, KEY);
    const read = (fields: object): Promise<DomainReadDto> =>
      bodyOf<DomainReadDto>(
        service.as('acme').call('post', '/v1/domain-reads', {
          ...{ name: 'example.org', method: 'transfer', name_servers: [`127.0.0.1:${server.port}`] },
          ...fields,
        }),
      );
    try {
      const signed = await read({ tsig_key: ASKED_KEY });
      expect(signed).toMatchObject({ complete: true, records: RECORDS + 5, name_servers: [{ reason: null }] });
      const unsigned = await read({});
      expect(unsigned).toMatchObject({ complete: false, name_servers: [{ reason: 'refused' }] });
      const wrong = await read({ tsig_key: { ...ASKED_KEY, secret: Buffer.alloc(32, 7).toString('base64') } });
      expect(wrong.complete).toBe(false);
      expect(JSON.stringify(wrong)).not.toContain(Buffer.alloc(32, 7).toString('base64'));
      const seen = await read({ method: 'queries' });
      expect(seen).toMatchObject({ complete: false, records: 5, questions: { unanswered: 0 } });
      expect(seen.zone_file).toContain('_sip._tcp.example.org.\t300\tIN\tSRV\t0 0 5060 sip.example.org.');
    } finally {
      await server.stop();
    }
  });
