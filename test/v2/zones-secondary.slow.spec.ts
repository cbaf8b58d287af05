import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainName } from '../../src/dns/name.js';
import { SOA } from '../../src/dns/rdata/index.js';
import { MetaType, RecordClass, Opcode } from '../../src/dns/message/codes.js';
import { requestHeader } from '../../src/dns/message/header.js';
import { writeMessage } from '../../src/dns/message/message-writer.js';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { MASTERS, startMaster } from '../support/masters.js';
import { query } from '../support/messages.js';
import { freePort } from '../support/name-servers/name-servers.js';
import type { PrimaryServer } from '../support/primary-servers.js';
import { COMMAND_LINE, startServiceProcess } from '../support/process.js';
import { itWith } from '../support/run-program.js';
import { Secondary } from '../support/secondary.js';
import { environmentOf, removeTestData, startTestService, type TestService } from '../support/service.js';
import { applied, idOf, transfer } from '../support/transfers.js';
import { until } from '../support/until.js';
import { type ListBody, v2RefusalOf, type ZoneBody } from '../support/v2.js';

const SERIAL = 2_026_112_201;
const PATIENCE = 60_000;

interface Timers {
  readonly refresh?: number;
  readonly expire?: number;
}

const zoneFile = (serial: number, lines: readonly string[], { refresh = 3600, expire = 86_400 }: Timers = {}): string =>
  [
    '$ORIGIN example.org.',
    `@ 1800 IN SOA master.example.net. who\\.ever.example.net. ${serial} ${refresh} 2 ${expire} 300`,
    '@ 900 IN NS ns-of-master.example.net.',
    '@ 900 IN NS ns2',
    'ns2 300 IN A 192.0.2.2',
    ...lines,
    '',
  ].join('\n');
const OTHERS = [
  'www 60 IN A 192.0.2.1',
  'text 0 IN TXT "a b" "c\\;d"',
  'sub 60 IN NS ns.sub',
  'ns.sub 60 IN A 192.0.2.9',
  'odd 60 IN TYPE65280 \\# 3 010203',
];

let directory: string;
let service: TestService;
let port: number;

async function startService(): Promise<void> {
  service = await startTestService(
    {
      SERVICE_API__ENABLE_API_ADMIN: 'True',
      SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas',
      SERVICE_MDNS__ENABLED: 'True',
      SERVICE_MDNS__LISTEN: `127.0.0.1:${port}`,
      SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
      SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.0/8,::1,192.0.2.0/24',
      SERVICE_CENTRAL__NAME_SERVERS: 'ns1.provider.example.',
    },
    directory,
  );
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  port = await freePort();
  await startService();
});
afterAll(async () => {
  await service.stop();
  await removeTestData(directory);
});

const get = (id: string) => bodyOf<ZoneBody>(service.call('get', `/v2/zones/${id}`));
const patch = (id: string, fields: object) => service.call('patch', `/v2/zones/${id}`, fields);
const create = (masters: unknown, fields: object = {}) =>
  service.call('post', '/v2/zones', { name: 'example.org.', type: 'SECONDARY', masters, ...fields });
const remove = ({ id }: ZoneBody) => answerOf(service.call('delete', `/v2/zones/${id}`), 202);
const hasSerial = (id: string, serial: number) => until(async () => (await get(id)).serial === serial, PATIENCE);
const hasStatus = (id: string, status: string) => until(async () => (await get(id)).status === status, PATIENCE);

/** All records that a server sends of example.org, in one order. */
async function recordsAt(server: number): Promise<string[]> {
  const { records } = await transfer(server, query(MetaType.AXFR));
  return records.map(idOf).sort();
}

describe.each(['named', 'knotd'] as const)('with %s as its master, a secondary zone', (name) => {
  const itWithMaster = itWith(MASTERS[name](0));
  let master: PrimaryServer;
  let zone: ZoneBody;

  beforeEach(async () => {
    master = await startMaster(name, zoneFile(SERIAL, OTHERS), port);
    zone = await bodyOf<ZoneBody>(create([`127.0.0.1:${master.port}`]), 202);
    await hasStatus(zone.id, 'ACTIVE');
  });
  afterEach(async () => {
    await remove(zone);
    await master.stop();
    audit(service.databaseFile);
  });

  itWithMaster('13.11 is served as the master serves it, with its SOA and NS', async () => {
    const { masters } = zone;
    expect(zone).toMatchObject({ type: 'SECONDARY', status: 'PENDING', action: 'CREATE', transferred_at: null });
    expect(masters).toEqual([`127.0.0.1:${master.port}`]);
    const shown = await get(zone.id);
    expect(shown).toMatchObject({ masters, serial: SERIAL, action: 'NONE', ttl: 1800, status: 'ACTIVE' });
    expect(shown.email).toBe('who.ever@example.net');
    expect(shown.transferred_at).not.toBeNull();
    expect(await recordsAt(port)).toEqual(await recordsAt(master.port));
  });

  itWithMaster('13.11 is exported with its masters’ SOA and NS', async () => {
    const { text } = await answerOf(service.call('get', `/v1/domains/${zone.id}/export`).set('Accept', 'text/dns'));
    expect(text).toMatch(new RegExp(`SOA\\s+master\\.example\\.net\\. who\\\\\\.ever\\.example\\.net\\. ${SERIAL} `));
    expect(text).toContain('ns-of-master.example.net.');
    expect(text).not.toContain('ns1.provider.example.');
  });

  itWithMaster('13.11 follows a NOTIFY after any change', async () => {
    const others = ['www 120 IN A 192.0.2.7', 'www 120 IN A 192.0.2.8', 'text 60 IN CNAME www', 'a.b IN MX 0 .'];
    await master.reload(zoneFile(SERIAL + 1, others));
    await hasSerial(zone.id, SERIAL + 1);
    expect(await recordsAt(port)).toEqual(await recordsAt(master.port));
    await master.reload(zoneFile(SERIAL + 2, []));
    await hasSerial(zone.id, SERIAL + 2);
    expect(await recordsAt(port)).toEqual(await recordsAt(master.port));
  });
});

describe('a secondary zone', () => {
  const itWithMaster = itWith(MASTERS.knotd(0));
  let master: PrimaryServer;
  let zone: ZoneBody;
  /** A primary that no NOTIFY reports. */
  const start = async (file: string): Promise<void> => {
    master = await startMaster('knotd', file, await freePort());
    zone = await bodyOf<ZoneBody>(create([`127.0.0.1:${master.port}`]), 202);
  };

  afterEach(async () => {
    await remove(zone);
    await master.stop();
    audit(service.databaseFile);
  });

  itWithMaster('13.11 is fetched when asked to, and as the refresh of its SOA says', async () => {
    await start(zoneFile(SERIAL, OTHERS));
    await hasSerial(zone.id, SERIAL);
    await master.reload(zoneFile(SERIAL + 1, OTHERS, { refresh: 2 }));
    await untilServes(master.port, SERIAL + 1);
    expect(await get(zone.id)).toMatchObject({ serial: SERIAL });
    const { text } = await answerOf(service.call('post', `/v2/zones/${zone.id}/tasks/xfr`), 202);
    expect(text).toBe('""');
    await hasSerial(zone.id, SERIAL + 1);
    await master.reload(zoneFile(SERIAL + 2, []));
    await hasSerial(zone.id, SERIAL + 2);
  });

  itWithMaster('13.11 comes from another master when it is given one', async () => {
    await start(zoneFile(SERIAL, OTHERS));
    await hasSerial(zone.id, SERIAL);
    const other = await startMaster('knotd', zoneFile(SERIAL + 5, []), await freePort());
    try {
      // No server listens at the first address.
      const masters = ['127.0.0.1:1', `127.0.0.1:${other.port}`];
      const { serial, version } = await get(zone.id);
      const patched = await bodyOf<ZoneBody>(patch(zone.id, { masters, description: 'moved' }), 202);
      expect(patched).toMatchObject({ masters, description: 'moved', serial, version: version + 1 });
      await hasSerial(zone.id, SERIAL + 5);
    } finally {
      await other.stop();
    }
  });

  itWithMaster(
    'is of any size',
    async () => {
      const hosts = Array.from({ length: 20_000 }, (_, at) => `h${at} 60 IN A 192.0.${at >> 8}.${at % 256}`);
      await start(zoneFile(SERIAL, hosts));
      await until(async () => (await get(zone.id)).serial === SERIAL);
      expect(await recordsAt(port)).toEqual(await recordsAt(master.port));
      const before = (await transfer(port, query(MetaType.AXFR))).records.slice(0, -1);
      await master.reload(zoneFile(SERIAL + 1, ['www 60 IN A 192.0.2.1', ...hosts.slice(1)]));
      await untilServes(master.port, SERIAL + 1);
      await answerOf(service.call('post', `/v2/zones/${zone.id}/tasks/xfr`), 202);
      await until(async () => (await get(zone.id)).serial === SERIAL + 1);
      const now = await recordsAt(port);
      expect(now).toEqual(await recordsAt(master.port));
      const { records } = await transfer(port, query(MetaType.IXFR, { authorities: [before[0]!] }));
      expect(records[1]?.type).toBe(SOA.code);
      // The SOA ends a transfer as well as it begins it.
      expect(new Set(applied(before, records).map(idOf))).toEqual(new Set(now));
    },
    120_000,
  );

  itWithMaster('13.11 never goes back to an earlier serial', async () => {
    await start(zoneFile(SERIAL, OTHERS));
    await hasSerial(zone.id, SERIAL);
    await master.reload(zoneFile(SERIAL - 1, []));
    await untilServes(master.port, SERIAL - 1);
    await answerOf(service.call('post', `/v2/zones/${zone.id}/tasks/xfr`), 202);
    await untilServes(port, SERIAL);
    expect(await get(zone.id)).toMatchObject({ serial: SERIAL, status: 'ACTIVE' });
  });

  itWithMaster('13.11 is served no longer once it has expired, and again when a master is back', async () => {
    await start(zoneFile(SERIAL, OTHERS, { refresh: 2, expire: 3 }));
    await hasStatus(zone.id, 'ACTIVE');
    const [, masterPort] = [await recordsAt(port), master.port];
    await master.stop();
    await hasStatus(zone.id, 'PENDING');
    await expect(recordsAt(port)).rejects.toThrow('SERVFAIL');
    master = await startMaster('knotd', zoneFile(SERIAL + 1, []), await freePort());
    expect(master.port).not.toBe(masterPort);
    await answerOf(patch(zone.id, { masters: [`127.0.0.1:${master.port}`] }), 202);
    await hasStatus(zone.id, 'ACTIVE');
    expect(await recordsAt(port)).toEqual(await recordsAt(master.port));
  });

  itWithMaster('13.11 is there after a restart, and its timers go on', async () => {
    await start(zoneFile(SERIAL, OTHERS, { refresh: 2 }));
    await hasSerial(zone.id, SERIAL);
    await service.stop();
    await master.reload(zoneFile(SERIAL + 1, []));
    await startService();
    await hasSerial(zone.id, SERIAL + 1);
    expect(await recordsAt(port)).toEqual(await recordsAt(master.port));
  });

  itWithMaster('13.11 is held to the quotas of its project', async () => {
    await bodyOf(service.call('patch', '/admin/quotas/tenant-a', { quota: { zone_records: 3 } }));
    try {
      await start(zoneFile(SERIAL, OTHERS));
      await hasStatus(zone.id, 'ERROR');
      expect(await get(zone.id)).toMatchObject({ serial: 1, transferred_at: null });
    } finally {
      await answerOf(service.call('delete', '/admin/quotas/tenant-a'), 204);
    }
  });

  itWithMaster('13.11 has only records and fields of its primaries', async () => {
    await start(zoneFile(SERIAL, OTHERS));
    await hasSerial(zone.id, SERIAL);
    const path = `/v1/domains/${zone.id}`;
    const record = { name: 'new.example.org.', type: 'A', data: '192.0.2.1' };
    const { records } = await bodyOf<{ records: { id: string }[] }>(service.call('get', `${path}/records`));
    const change = { changes: [{ action: 'create', record }] };
    await refusalOf(service.call('post', `${path}/records`, record), 400, 'bad_request');
    await refusalOf(service.call('delete', `${path}/records/${records[0]!.id}`), 400, 'bad_request');
    await refusalOf(service.call('post', `${path}/changes`, change), 400, 'bad_request');
    const file = service.call('post', `${path}/import`).set('Content-Type', 'text/dns').send('a 60 IN A 192.0.2.1\n');
    await refusalOf(file, 400, 'bad_request');
    await refusalOf(service.call('put', path, { email: 'other@example.org' }), 400, 'invalid_object');
    await v2RefusalOf(patch(zone.id, { ttl: 60 }), 400, 'invalid_object', [['ttl']]);
    await v2RefusalOf(patch(zone.id, { email: 'a@b.example' }), 400, 'invalid_object', [['email']]);
    expect(await bodyOf(service.call('get', `${path}/records`))).toEqual({ records });
  });

  /** Until a server has that serial. */
  async function untilServes(server: number, serial: number): Promise<void> {
    await until(async () => {
      const { records } = await transfer(server, query(SOA.code));
      return SOA.values(records[0]!.rdata).serial === serial;
    }, PATIENCE);
  }
});

describe('next to the service', () => {
  const itWithMaster = itWith(MASTERS.knotd(0));

  itWithMaster(
    'zonewright mdns takes zones from their masters, and holds projects to their quotas',
    async () => {
      const place = await mkdtemp(join(tmpdir(), 'zonewright-'));
      const alone = await freePort();
      const settings = {
        SERVICE_API__ENABLE_API_ADMIN: 'True',
        SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas',
        SERVICE_MDNS__LISTEN: `127.0.0.1:${alone}`,
        SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
        SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.1',
      };
      const api = await startTestService(settings, place);
      const nameServer = await startServiceProcess(place, environmentOf(place, settings), [COMMAND_LINE, 'mdns']);
      const master = await startMaster('knotd', zoneFile(SERIAL, OTHERS), alone);
      const status = async ({ id }: ZoneBody) => (await bodyOf<ZoneBody>(api.call('get', `/v2/zones/${id}`))).status;
      try {
        await bodyOf(api.call('patch', '/admin/quotas/tenant-a', { quota: { zone_records: 3 } }));
        const masters = [`127.0.0.1:${master.port}`];
        const body = { name: 'example.org.', type: 'SECONDARY', masters };
        const zone = await bodyOf<ZoneBody>(api.call('post', '/v2/zones', body), 202);
        await until(async () => (await status(zone)) === 'ERROR', PATIENCE);
        await answerOf(api.call('delete', '/admin/quotas/tenant-a'), 204);
        await answerOf(api.call('post', `/v2/zones/${zone.id}/tasks/xfr`), 202);
        await until(async () => (await status(zone)) === 'ACTIVE', PATIENCE);
        expect(await recordsAt(alone)).toEqual(await recordsAt(master.port));
      } finally {
        nameServer.signal('SIGTERM');
        await nameServer.ended;
        await master.stop();
        await api.stop();
        await removeTestData(place);
      }
    },
    120_000,
  );

  itWithMaster(
    '13.3 the name servers of the pool get such a zone, which is PENDING until they have it',
    async () => {
      const pool = await Secondary.start();
      const own = await freePort();
      const api = await startTestService({
        SERVICE_MDNS__ENABLED: 'True',
        SERVICE_MDNS__LISTEN: `127.0.0.1:${own}`,
        SERVICE_MDNS__SECONDARIES: pool.address,
        SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.1',
      });
      const master = await startMaster('knotd', zoneFile(SERIAL, OTHERS), own);
      try {
        const body = { name: 'example.org.', type: 'SECONDARY', masters: [`127.0.0.1:${master.port}`] };
        const { id } = await bodyOf<ZoneBody>(api.call('post', '/v2/zones', body), 202);
        const shown = () => bodyOf<ZoneBody>(api.call('get', `/v2/zones/${id}`));
        await until(async () => (await shown()).serial === SERIAL, PATIENCE);
        await until(() => pool.heard.some(({ kind, zone }) => kind === 'notify' && zone === 'example.org.'), PATIENCE);
        expect(await shown()).toMatchObject({ status: 'PENDING' });
        // A server that is ahead does not change whose serial it is.
        pool.serials.set('example.org.', SERIAL + 9);
        await until(async () => (await shown()).status === 'ACTIVE', PATIENCE);
        expect(await shown()).toMatchObject({ serial: SERIAL, action: 'NONE' });
      } finally {
        await api.stop();
        await master.stop();
        await pool.stop();
      }
    },
    120_000,
  );
});

describe('requests', () => {
  it.each([
    ['none', []],
    ['a text', '192.0.2.1'],
    ['a number', [1]],
    ['an empty one', ['']],
    ['a port of 0', ['192.0.2.1:0']],
    ['a port of 65536', ['192.0.2.1:65536']],
    ['a port that is none', ['192.0.2.1:x']],
    ['an address that is none', ['192.0.2.256']],
    ['a bracket', ['[2001:db8::1']],
    ['an IPv4 address in brackets', ['[192.0.2.1]:53']],
    ['a name with a blank', ['ns1 example.org']],
    ['an address that is not allowed', ['198.51.100.1']],
    ['21 of them', Array<string>(21).fill('192.0.2.1')],
  ])('13.11 400 for masters: %s', async (_, masters) => {
    await v2RefusalOf(create(masters), 400, 'invalid_object');
  });

  it.each([
    [['192.0.2.53', '192.0.2.53']],
    [['192.0.2.54', '192.0.2.53', '192.0.2.53:53']],
    [['master.example.net', 'Master.Example.NET.:53']],
    [['::1', '[0:0::1]:53']],
  ])('13.11 409 for the same master twice: %j', async (masters) => {
    const { message } = await v2RefusalOf(create(masters), 409, 'duplicate_zone_attribute');
    expect(message).toContain(JSON.stringify(masters.at(-1)));
    const zone = await bodyOf<ZoneBody>(create(['192.0.2.53']), 202);
    await v2RefusalOf(patch(zone.id, { masters }), 409, 'duplicate_zone_attribute', [['masters', masters.length - 1]]);
    await bodyOf(patch(zone.id, { masters: ['192.0.2.53', '192.0.2.53:5353'] }), 202);
    await remove(zone);
  });

  it('13.11 400 without masters, and with fields that a SECONDARY zone takes from them', async () => {
    await v2RefusalOf(create(undefined), 400, 'invalid_object', [['masters']]);
    await v2RefusalOf(create(['192.0.2.1'], { email: 'a@example.org', ttl: 60 }), 400, 'invalid_object', [
      ['email'],
      ['ttl'],
    ]);
  });

  it('13.3 keeps a zone PENDING whose masters do not answer, and serves nothing of it', async () => {
    const masters = ['127.0.0.1:1', '[::1]:1', 'no-such-host.invalid'];
    const zone = await bodyOf<ZoneBody>(create(masters), 202);
    expect(zone).toMatchObject({ masters, email: 'hostmaster@ns1.provider.example' });
    await expect(recordsAt(port)).rejects.toThrow('SERVFAIL');
    expect(await get(zone.id)).toMatchObject({ status: 'PENDING', action: 'CREATE' });
    const list = await bodyOf<ListBody<'zones', ZoneBody>>(
      service.call('get', '/v2/zones?type=secondary&status=pending'),
    );
    expect(list.zones.map(({ id }) => id)).toEqual([zone.id]);
    await remove(zone);
    await expect(recordsAt(port)).rejects.toThrow('NOTAUTH');
  });

  it('12.1 takes a NOTIFY from masters alone (attack case 100)', async () => {
    const question = { name: DomainName.parse('example.org.'), type: SOA.code, class: RecordClass.IN };
    const notify = writeMessage({ header: requestHeader(1, Opcode.NOTIFY), questions: [question] });
    const zone = await bodyOf<ZoneBody>(create(['192.0.2.1']), 202);
    await expect(transfer(port, notify)).rejects.toThrow('NOTIMP');
    await answerOf(patch(zone.id, { masters: ['127.0.0.1:1'] }), 202);
    await expect(transfer(port, notify)).resolves.toMatchObject({ records: [] });
    await remove(zone);
  });
});
