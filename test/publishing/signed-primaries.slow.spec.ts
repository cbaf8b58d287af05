import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { DomainName } from '../../src/dns/name.js';
import { MetaType } from '../../src/dns/message/codes.js';
import { bodyOf } from '../support/answers.js';
import { faultsOf, genericText, JUDGE } from '../support/dnssec-judges.js';
import { MASTERS, startMaster } from '../support/masters.js';
import { query } from '../support/messages.js';
import { DOCUMENTED_KEY, DOCUMENTED_SECRET, type NameServerName } from '../support/name-servers/name-servers.js';
import { itWith } from '../support/run-program.js';
import { FileSigner, SIGNER } from '../support/signed-files.js';
import { idOf, transfer } from '../support/transfers.js';
import type { ZoneBody } from '../support/v2.js';
import { Pool, until } from './pool.js';
import { serversOf } from './software.js';

const ZONE = 'example.org.';
const SERIAL = 2_026_112_801;
const SERVERS: readonly NameServerName[] = ['BIND', 'Knot', 'NSD', 'PowerDNS'];
const KEY = {
  name: DomainName.parse(`${DOCUMENTED_KEY}.`),
  algorithm: 'hmac-sha256',
  secret: Buffer.from(DOCUMENTED_SECRET, 'base64'),
} as const;

const zoneFile = (serial: number, lines: readonly string[]): string =>
  [
    `$ORIGIN ${ZONE}`,
    `@ 1800 IN SOA ns1.example.net. who.example.net. ${serial} 3600 2 86400 300`,
    '@ 900 IN NS ns1.example.net.',
    'www 60 IN A 192.0.2.1',
    'www 7200 IN AAAA 2001:db8::1',
    'Main\\032Printer._ipp._tcp 60 IN SRV 0 0 631 www',
    '*.wild 60 IN TXT "any"',
    'odd 60 IN TYPE65280 \\# 3 010203',
    ...lines,
    '',
  ].join('\n');

const NSEC3PARAM = 51;

/** PowerDNS keeps NSEC3PARAM as metadata and gives it the negative TTL of the zone; signers give it 0. */
function withTtlOfSigner<T extends { readonly type: number; readonly ttl: number }>(record: T): T {
  return record.type === NSEC3PARAM ? { ...record, ttl: 0 } : record;
}

describe('a secondary zone of a signed primary', () => {
  const needs = { ...serversOf(SERVERS).needs, ...MASTERS.named(0).needs, ...SIGNER.needs, ...JUDGE.needs };
  const itWithServers = itWith({ name: SERVERS.join(', '), needs });
  let pool: Pool;

  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-signed-primaries-'));
    const settings = { SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.0/8' };
    pool = await Pool.start({ directory, servers: SERVERS, settings });
  });
  afterAll(() => pool.stop());

  itWithServers(
    '13.11, 12.2 goes on to BIND, Knot, NSD and PowerDNS with all of its octets, and valid, also when it was signed anew',
    async () => {
      const signer = await FileSigner.start(ZONE, 'nsec3');
      const master = await startMaster('named', await signer.sign(zoneFile(SERIAL, [])), pool.port);
      const admin = pool.clients.as('tenant-a', 'admin');
      try {
        const body = { name: ZONE, type: 'SECONDARY', masters: [`127.0.0.1:${master.port}`] };
        const { id } = await bodyOf<ZoneBody>(admin.call('post', '/v2/zones', body), 202);
        const shown = () => bodyOf<ZoneBody>(admin.call('get', `/v2/zones/${id}`));
        for (const [serial, lines] of [
          [SERIAL, []],
          [SERIAL + 1, ['new 60 IN A 192.0.2.77', 'www 60 IN A 192.0.2.2']],
        ] as const) {
          if (serial > SERIAL) await master.reload(await signer.sign(zoneFile(serial, lines)));
          await until(`${ZONE} has the serial ${serial}`, async () => (await shown()).serial === serial);
          await pool.syncNsd();
          await until(`${ZONE} is published`, async () => (await shown()).status === 'ACTIVE');
          const { records } = await transfer(master.port, query(MetaType.AXFR));
          // Knot and NSD write owner names in lower case, which idOf ignores.
          const there = records.map(idOf).sort();
          for (const server of pool.servers) {
            const answer = await transfer(server.port, query(MetaType.AXFR), KEY);
            const received = server.name === 'PowerDNS' ? answer.records.map(withTtlOfSigner) : answer.records;
            expect([server.name, ...received.map(idOf).sort()]).toEqual([server.name, ...there]);
            expect(await faultsOf(ZONE, genericText(received.slice(0, -1)))).toEqual([]);
          }
        }
      } finally {
        await master.stop();
        await signer.end();
      }
    },
    120_000,
  );
});
