import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, expectRefusal } from '../support/answers.js';
import { FormerProvider } from '../support/former-provider.js';
import {
  addressRecord,
  dnsAnswer,
  dribble,
  endless,
  HostileMaster,
  type MasterManners,
} from '../support/hostile-master.js';
import { until } from '../support/until.js';
import { startTestService, type TestService } from '../support/service.js';
import { freshName } from '../support/domain.js';
import type { DomainReadDto } from '../../src/moves/v1/dto/domain-read.dto.js';

const LINES = [
  '@ 3600 NS ns1.old.example.',
  '@ 3600 MX 10 mail',
  '@ 3600 TXT "v=spf1 mx -all"',
  'www 300 CNAME web',
  'web 300 A 192.0.2.3',
  'mail 3600 A 192.0.2.25',
  '_dmarc 3600 TXT "v=DMARC1; p=none"',
  'selector1._domainkey 3600 CNAME selector1.provider.example.',
];
const SETTINGS = { SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.0/8' };
const LONG_TEST_MS = 60_000;

let service: TestService;
const masters: HostileMaster[] = [];

beforeAll(async () => {
  service = await startTestService(SETTINGS);
});
afterAll(() => service.stop());
afterEach(() => {
  for (const master of masters.splice(0)) master.stop();
});

async function serverWith(manners: MasterManners): Promise<HostileMaster> {
  const master = await HostileMaster.start(manners);
  masters.push(master);
  return master;
}

const qualified = (line: string, zone: string): string => {
  const [name = '', ...rest] = line.split(' ');
  return `${name === '@' ? zone : `${name}.${zone}`} ${rest.join(' ')}`;
};

async function readFrom(
  zone: string,
  method: 'transfer' | 'queries',
  servers: readonly string[],
): Promise<DomainReadDto> {
  return bodyOf<DomainReadDto>(
    service.as('acme').call('post', '/v1/domain-reads', { name: zone, method, name_servers: servers }),
  );
}

/** Lines without class, with `@` targets completed as a name server sends them. */
const linesOf = ({ zone_file: text }: DomainReadDto): string[] =>
  (text ?? '')
    .split('\n')
    .filter((line) => line !== '' && !line.includes('\tSOA\t'))
    .map((line) => line.replace('\tIN\t', ' ').replaceAll('\t', ' '))
    .sort();

const expected = (zone: string, lines: readonly string[]): string[] =>
  lines
    .map((line) => qualified(line, zone))
    .map((line) => line.replace(/(MX \d+|CNAME|NS) (\S*[^.\s])$/, `$1 $2.${zone}`))
    .sort();

const complete = (lines: readonly string[], zone: string): string[] =>
  lines.map((line) => line.replace(/(MX \d+|CNAME|NS) (\S*[^.\s])$/, `$1 $2.${zone}`));

const provider = (zone: string, lines: readonly string[] = LINES, allowsTransfer = true): FormerProvider =>
  new FormerProvider(zone, complete(lines, zone), allowsTransfer);

describe('reading a domain at its present name servers', () => {
  it('15.10 gives the whole domain by a transfer, which an import takes', async () => {
    const zone = freshName();
    const master = await serverWith(provider(zone));
    const read = await readFrom(zone, 'transfer', [master.address]);
    expect(read).toMatchObject({ name: zone, method: 'transfer', complete: true, questions: null, left_out: [] });
    expect(read.name_servers).toEqual([{ name: master.address, address: '127.0.0.1', reason: null, error: null }]);
    expect(linesOf(read)).toEqual(expected(zone, LINES));
    expect(read.records).toBe(LINES.length + 1);
    const acme = service.as('acme');
    const domain = await bodyOf<{ id: string }>(
      acme.call('post', '/v1/domains', { name: zone, email: 'hostmaster@example.org' }),
    );
    const report = await answerOf(
      acme
        .call('post', `/v1/domains/${domain.id}/import?skip_name_servers=true`)
        .set('Content-Type', 'text/dns')
        .send(read.zone_file ?? ''),
    );
    expect(report.body).toMatchObject({ created: LINES.length - 1, skipped: 2 });
  });

  it('15.10 asks the next server if one refuses, and does not answer for it', async () => {
    const zone = freshName();
    const refusing = await serverWith(provider(zone, LINES, false));
    const giving = await serverWith(provider(zone));
    const read = await readFrom(zone, 'transfer', [refusing.address, giving.address]);
    expect(read.complete).toBe(true);
    expect(read.name_servers).toMatchObject([{ reason: 'refused' }, { reason: null }]);
    const none = await readFrom(zone, 'transfer', [refusing.address]);
    expect(none).toMatchObject({ complete: false, zone_file: null, records: 0 });
    expect(none.name_servers[0]?.error).toMatch(/REFUSED$/);
  });

  it(
    '15.10 finds common names, and those that the answers lead to, by queries',
    async () => {
      const zone = freshName();
      const master = await serverWith(provider(zone, [...LINES, 'hidden 60 A 192.0.2.77'], false));
      const read = await readFrom(zone.slice(0, -1), 'queries', [master.address]);
      expect(read).toMatchObject({ name: zone, method: 'queries', complete: false });
      expect(linesOf(read)).toEqual(expected(zone, LINES));
      expect(read.questions).toMatchObject({ unanswered: 0 });
      expect(read.questions?.names).toContain(`_sip._tcp.${zone}`);
      expect(read.questions?.asked).toBeGreaterThan(200);
    },
    LONG_TEST_MS,
  );

  it(
    '15.10 takes a wildcard once, and a delegation with its glue',
    async () => {
      const zone = freshName();
      const lines = ['* 60 A 192.0.2.9', 'www 60 A 192.0.2.3', 'shop 60 NS ns.shop', 'ns.shop 60 A 192.0.2.53'];
      const master = await serverWith(provider(zone, lines));
      const read = await readFrom(zone, 'queries', [master.address]);
      expect(linesOf(read)).toEqual(expected(zone, lines));
    },
    LONG_TEST_MS,
  );

  it(
    '15.10 ends at an alias that leads to itself',
    async () => {
      const zone = freshName();
      const lines = ['www 60 CNAME web', 'web 60 CNAME www'];
      const master = await serverWith(provider(zone, lines));
      expect(linesOf(await readFrom(zone, 'queries', [master.address]))).toEqual(expected(zone, lines));
    },
    LONG_TEST_MS,
  );

  it(
    '15.10 reports servers that fail as results',
    async () => {
      const zone = freshName();
      const closed = await HostileMaster.start(provider(zone));
      const { address } = closed;
      closed.stop();
      const foreign = await serverWith(provider(freshName()));
      for (const method of ['transfer', 'queries'] as const) {
        const read = await readFrom(zone, method, [address, foreign.address, 'no-such-host.invalid:5353']);
        expect(read).toMatchObject({ complete: false, zone_file: null });
        expect(read.name_servers.map(({ reason }) => reason)).toEqual(['unreachable', 'refused', 'no_address']);
      }
    },
    LONG_TEST_MS,
  );

  it('15.10 refuses forbidden addresses and ports, wrong names and wrong keys with a remedy', async () => {
    const closed = await startTestService();
    try {
      const post = (body: object) => closed.as('acme').call('post', '/v1/domain-reads', body);
      const base = { name: 'example.org', method: 'transfer' };
      for (const server of ['127.0.0.1', '10.0.0.1', '[::1]', '169.254.169.254', '[::ffff:127.0.0.1]', '0.0.0.0'])
        expectRefusal(await post({ ...base, name_servers: [server] }), {
          ...{ status: 400, type: 'invalid_object' },
          faults: [{ path: 'name_servers[0]', validator: 'format' }],
        });
      const faults: readonly [object, string][] = [
        [{ ...base, name_servers: ['192.0.2.1:5353'] }, 'name_servers[0]'],
        [{ ...base, name_servers: ['a b'] }, 'name_servers[0]'],
        [{ ...base, name_servers: [] }, 'name_servers'],
        [{ ...base, name_servers: Array<string>(9).fill('ns.example.net') }, 'name_servers'],
        [{ ...base, name: '.' }, 'name'],
        [{ ...base, name: '*.example.org' }, 'name'],
        [{ ...base, method: 'guess' }, 'method'],
        [{ ...base, tsig_key: { name: 'k.', algorithm: 'hmac-md5', secret: 'x' } }, 'tsig_key.algorithm'],
        [{ ...base, tsig_key: { name: 'k.', algorithm: 'hmac-sha256', secret: 'x' } }, 'tsig_key.secret'],
        [
          { ...base, method: 'queries', tsig_key: { name: 'k.', algorithm: 'hmac-sha256', secret: 'eA==' } },
          'tsig_key',
        ],
      ];
      for (const [body, path] of faults) {
        const answer = await post(body);
        expectRefusal(answer, { status: 400, type: 'invalid_object' });
        expect(answer.body).toMatchObject({ errors: [{ path }] });
      }
      // localhost is a name of an internal address.
      const named = await bodyOf<DomainReadDto>(post({ ...base, name_servers: ['localhost'] }));
      expect(named.name_servers.every(({ address }) => address === null)).toBe(true);
      expect(['forbidden_address', 'no_address']).toContain(named.name_servers[0]?.reason);
    } finally {
      await closed.stop();
    }
  });

  it('15.10 refuses readers', async () => {
    const body = { name: 'example.org', method: 'queries', name_servers: ['127.0.0.1:1'] };
    expectRefusal(await service.as('acme', 'reader').call('post', '/v1/domain-reads', body), {
      ...{ status: 401, type: 'access_denied' },
    });
  });
});

describe('name servers that harm', () => {
  it(
    '15.10 bounds the size of a transfer, also outside of the domain',
    async () => {
      const zone = freshName();
      const outside = (query: Parameters<typeof dnsAnswer>[0]) =>
        dnsAnswer(
          query,
          Array.from({ length: 3000 }, () => addressRecord('www.example.net.', 1)),
        );
      const inside = (query: Parameters<typeof dnsAnswer>[0]) =>
        dnsAnswer(
          query,
          Array.from({ length: 3000 }, () => addressRecord(`www.${zone}`, 1)),
        );
      for (const more of [outside, inside]) {
        const master = await serverWith({ axfr: (query, socket) => endless(query, socket, more(query)) });
        const read = await readFrom(zone, 'transfer', [master.address]);
        expect(read).toMatchObject({ zone_file: null, name_servers: [{ reason: 'too_large' }] });
        await until(() => master.open === 0);
      }
    },
    LONG_TEST_MS,
  );

  it(
    '15.10 ends a read after 25 seconds, and refuses a third one of the tenant meanwhile',
    async () => {
      const zone = freshName();
      const master = await serverWith({ axfr: dribble });
      const began = performance.now();
      const reads = [1, 2].map(() => readFrom(zone, 'transfer', [master.address]));
      await new Promise((resolve) => setTimeout(resolve, 500));
      const third = { name: zone, method: 'transfer', name_servers: [master.address] };
      expectRefusal(await service.as('acme').call('post', '/v1/domain-reads', third), {
        ...{ status: 503, type: 'unavailable' },
      });
      for (const read of await Promise.all(reads))
        expect(read).toMatchObject({ zone_file: null, name_servers: [{ reason: 'no_answer' }] });
      expect(performance.now() - began).toBeLessThan(29_000);
      await until(() => master.open === 0);
    },
    LONG_TEST_MS,
  );

  it(
    '15.10 ignores answers with other ids, and gives up a silent server',
    async () => {
      const zone = freshName();
      const forging = provider(zone);
      const forged = await serverWith({
        axfr: forging.axfr,
        soa: (query) => forging.soa({ ...query, header: { ...query.header, id: (query.header.id + 1) & 0xffff } }),
      });
      const silent: Server = createServer((socket) => socket.on('error', () => undefined));
      await once(silent.listen(0, '127.0.0.1'), 'listening');
      // The address of a server on a TCP port.
      const { port } = silent.address() as AddressInfo;
      const began = performance.now();
      const read = await readFrom(zone, 'queries', [forged.address, `127.0.0.1:${port}`]);
      expect(read.zone_file).toBeNull();
      expect(read.name_servers.map(({ reason }) => reason)).toEqual(['no_answer', 'no_answer']);
      expect(performance.now() - began).toBeLessThan(10_000);
      silent.close();
    },
    LONG_TEST_MS,
  );

  it(
    '15.10 refuses answers that are too large to import',
    async () => {
      const zone = freshName();
      const text = `"${'x'.repeat(250)}" `.repeat(250).trim();
      const hosts = [
        'www',
        'web',
        'm',
        'app',
        'api',
        'mail',
        'ftp',
        'dev',
        'shop',
        'blog',
        'docs',
        'help',
        'beta',
        'old',
      ];
      const lines = [...hosts, 'new', 'news', 'vpn', 'git', 'ci', 'wiki'].map((host) => `${host} 60 TXT ${text}`);
      const master = await serverWith(provider(zone, lines));
      const read = await readFrom(zone, 'queries', [master.address]);
      expect(read).toMatchObject({ zone_file: null, name_servers: [{ reason: 'too_large' }] });
    },
    LONG_TEST_MS,
  );
});
