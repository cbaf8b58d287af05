import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { bodyOf, refusalOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { journalOf } from '../support/journal.js';
import { type Ended, runCommand } from '../support/process.js';
import { Secondary } from '../support/secondary.js';
import {
  environmentOf,
  removeTestData,
  type Settings,
  startTestService,
  type TestService,
} from '../support/service.js';
import { until } from '../support/until.js';
import { servedOf } from './served.js';

interface PublicationBody {
  readonly serial: number;
  readonly published: boolean;
  readonly servers: readonly {
    readonly address: string;
    readonly state: string;
    readonly serial: number | null;
    readonly since: string | null;
    readonly behind: number | null;
    readonly behind_since: string | null;
    readonly unreachable_since: string | null;
    readonly error: string | null;
  }[];
}

interface DomainsBody {
  readonly domains: readonly { readonly name: string }[];
}

let directory: string;
let secondaries: Secondary[];
let services: TestService[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-publication-'));
  secondaries = [await Secondary.start(), await Secondary.start()];
  services = [];
});
afterEach(async () => {
  for (const service of services) await service.stop();
  for (const secondary of secondaries) await secondary.stop();
  await removeTestData(directory);
});

const settings = (): Settings => ({
  SERVICE_MDNS__ENABLED: 'True',
  SERVICE_MDNS__LISTEN: '127.0.0.1:0',
  SERVICE_MDNS__SECONDARIES: secondaries.map(({ address }) => address).join(','),
});

async function start(): Promise<TestService> {
  const service = await startTestService(settings(), directory);
  services.push(service);
  return service;
}

const publicationOf = (service: TestService, { id }: TestDomain, query = ''): Promise<PublicationBody> =>
  bodyOf<PublicationBody>(service.call('get', `/v1/domains/${id}/publication${query}`));

/** The secondary transfers a zone when it is notified. */
function follow(secondary: Secondary, service: TestService): void {
  secondary.onNotify = (zone) => {
    const serial = servedOf(service.databaseFile, zone);
    if (serial !== null) secondary.serials.set(zone, serial);
  };
}

describe('GET /v1/domains/<id>/publication', () => {
  it('12.5 shows each server of the pool, and reports when all have the serial', async () => {
    const service = await start();
    const [one, other] = secondaries as [Secondary, Secondary];
    follow(one, service);
    other.manners = () => 'drop';
    const domain = await newDomain(service);
    await until(async () => (await publicationOf(service, domain)).servers[1]!.state === 'unreachable');
    const partly = await publicationOf(service, domain);
    expect(partly).toMatchObject({ serial: domain.serial, published: false });
    expect(partly.servers).toEqual([
      {
        address: one.address,
        state: 'current',
        serial: domain.serial,
        since: expect.stringMatching(/^\d{4}-/),
        behind: 0,
        behind_since: null,
        unreachable_since: null,
        error: null,
      },
      {
        address: other.address,
        state: 'unreachable',
        serial: null,
        since: null,
        behind: null,
        behind_since: null,
        unreachable_since: expect.stringMatching(/^\d{4}-/),
        error: 'no answer',
      },
    ]);
    other.manners = () => 'answer';
    other.serials.set(domain.name, domain.serial - 3);
    await until(async () => (await publicationOf(service, domain)).servers[1]!.serial !== null);
    expect((await publicationOf(service, domain)).servers[1]).toMatchObject({
      state: 'behind',
      behind: 3,
      serial: domain.serial - 3,
    });
    other.serials.delete(domain.name);
    await until(async () => (await publicationOf(service, domain)).servers[1]!.error === 'SOA: REFUSED');
    other.serials.set(domain.name, domain.serial);
    await until(async () => (await publicationOf(service, domain)).published);
  });

  it('12.5 waits until the change is published, and not for later ones', async () => {
    const service = await start();
    for (const secondary of secondaries) follow(secondary, service);
    const domain = await newDomain(service);
    expect((await publicationOf(service, domain, '?wait=10')).published).toBe(true);
    secondaries[1]!.onNotify = null;
    await domain.newRecord();
    const { serial } = await domain.now();
    const waiting = publicationOf(service, domain, '?wait=20');
    await delay(300);
    secondaries[0]!.onNotify = null;
    await domain.newRecord({ name: domain.at('later') });
    secondaries[1]!.serials.set(domain.name, serial);
    const begun = performance.now();
    expect(await waiting).toMatchObject({ serial, published: true });
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect(await publicationOf(service, domain)).toMatchObject({ published: false });
  });

  it('12.9 lists the name servers, and the domains that one of them lacks', async () => {
    const service = await start();
    const [one, other] = secondaries as [Secondary, Secondary];
    const names = async (query: string): Promise<string[]> => {
      const { domains } = await bodyOf<DomainsBody>(service.call('get', `/v1/domains?${query}`));
      return domains.map(({ name }) => name);
    };
    const servers = async (): Promise<readonly Record<string, unknown>[]> =>
      (await bodyOf<{ name_servers: Record<string, unknown>[] }>(service.call('get', '/v1/name-servers'))).name_servers;
    const silent = { state: 'unknown', last_answer: null, unreachable_since: null, error: null };
    expect(await servers()).toEqual([
      { address: one.address, ...silent },
      { address: other.address, ...silent },
    ]);
    for (const secondary of secondaries) follow(secondary, service);
    const early = await newDomain(service);
    await publicationOf(service, early, '?wait=10');
    await until(async () => (await servers()).every(({ state }) => state === 'answering'));
    expect(await servers()).toEqual(
      secondaries.map(({ address }) => ({
        ...silent,
        ...{ address, state: 'answering', last_answer: expect.stringMatching(/^\d{4}-/) },
      })),
    );
    other.manners = () => 'drop';
    const late = await newDomain(service);
    await until(async () => (await servers())[1]!.state === 'unreachable');
    expect((await servers())[1]).toMatchObject({
      last_answer: expect.stringMatching(/^\d{4}-/),
      unreachable_since: expect.stringMatching(/^\d{4}-/),
      error: 'no answer',
    });
    expect(await names(`behind=${other.address}`)).toEqual([late.name]);
    expect(await names(`behind=${one.address}`)).toEqual([]);
    expect(await names('publication=pending')).toEqual([late.name]);
    expect(await names('publication=published&sort=name')).toEqual([early.name]);
    expect(await names('publication=failed')).toEqual([]);
    const counted = `/v1/domains?publication=pending&behind=${other.address}&q=${late.name}&count=true&limit=1`;
    expect(await bodyOf(service.call('get', counted))).toMatchObject({ count: { total: 1 } });
    other.manners = () => 'answer';
    other.onNotify = null;
    await until(async () => (await publicationOf(service, late)).servers[1]!.state === 'behind');
    const { behind_since: since } = (await publicationOf(service, late)).servers[1]!;
    expect(Date.now() - Date.parse(`${since}Z`)).toBeLessThan(60_000);
  });

  it('12.9 refuses an address that is not in the pool, and a state that is none', async () => {
    const service = await start();
    const list = (query: string) => service.call('get', `/v1/domains?${query}`);
    const refused = await refusalOf(list('behind=192.0.2.53:53'), 400, 'invalid_object');
    expect(refused.message).toBe(
      'behind: 192.0.2.53:53 is not a name server of the pool; take an address of /v1/name-servers.',
    );
    await refusalOf(list('publication=late'), 400, 'invalid_object');
    await refusalOf(list(`behind=${secondaries[0]!.address}&marker=none`), 400, 'invalid_object');
  });

  it('12.6 is not proven by a NOTIFY that a server has answered or refused while it was only notified', async () => {
    const [asked, notified] = secondaries as [Secondary, Secondary];
    notified.manners = ({ zone }) => (zone === 'refused.example.org.' ? 'refuse' : 'answer');
    const withNotified = {
      SERVICE_MDNS__SECONDARIES: asked.address,
      SERVICE_MDNS__ALSO_NOTIFY: notified.address,
    };
    const service = await startTestService({ ...settings(), ...withNotified }, directory);
    services.push(service);
    follow(asked, service);
    const names = ['refused.example.org.', 'answered.example.org.'];
    const domains = [await newDomain(service, names[0]), await newDomain(service, names[1])];
    for (const domain of domains) {
      expect((await publicationOf(service, domain, '?wait=10')).published).toBe(true);
      await until(() => notified.notifiesOf(domain.name).length > 0);
    }
    await delay(300);
    await services.pop()?.stop();
    const moved = await start();
    for (const domain of domains)
      expect(await publicationOf(moved, domain)).toMatchObject({
        published: false,
        servers: [{ state: 'current' }, { address: notified.address, serial: null }],
      });
  });

  it('12.5, 15.7 names a set that BIND refuses after 10 seconds, and for servers that are behind alone', async () => {
    const service = await start();
    for (const secondary of secondaries) follow(secondary, service);
    const domain = await newDomain(service);
    await domain.newRecord();
    expect((await publicationOf(service, domain, '?wait=10')).published).toBe(true);
    secondaries[0]!.onNotify = null;
    const begun = Date.now();
    await domain.import('$GENERATE 1-101 many A 198.18.0.$\n');
    const errors = async () => (await publicationOf(service, domain)).servers.map(({ error }) => error);
    await until(async () => (await publicationOf(service, domain)).servers[1]!.state === 'current');
    expect((await publicationOf(service, domain)).servers[0]).toMatchObject({ state: 'behind', error: null });
    await until(async () => {
      // Another change does not begin the time anew.
      await domain.newRecord({ name: domain.at(`h${Date.now()}`) });
      await delay(500);
      return (await errors())[0] !== null;
    });
    expect(Date.now() - begun).toBeGreaterThan(9000);
    expect((await errors())[0]).toContain('max-records-per-type');
    await until(async () => (await publicationOf(service, domain)).servers[1]!.state === 'current');
    expect((await errors())[1]).toBeNull();
  });

  it('12.7 is inconsistent after a restart where a server answered otherwise before', async () => {
    const [first, other] = secondaries as [Secondary, Secondary];
    const service = await start();
    for (const secondary of secondaries) follow(secondary, service);
    const domain = await newDomain(service);
    await domain.newRecord();
    expect((await publicationOf(service, domain, '?wait=10')).published).toBe(true);
    await services.pop()?.stop();
    first.records = () => [];
    const again = await start();
    await until(async () => !(await publicationOf(again, domain)).published);
    const { servers } = await publicationOf(again, domain);
    expect(servers).toMatchObject([
      {
        address: first.address,
        state: 'inconsistent',
        error: expect.stringMatching(/ A: no data instead of 1 record$/),
      },
      { address: other.address, state: 'current', error: null },
    ]);
    const [zone] = (await bodyOf<{ zones: { status: string }[] }>(again.call('get', `/v2/zones?name=${domain.name}`)))
      .zones;
    expect(zone).toMatchObject({ status: 'ERROR' });
  });

  it('12.5 ends when the time is up', async () => {
    const service = await start();
    const domain = await newDomain(service);
    const begun = performance.now();
    expect(await publicationOf(service, domain, '?wait=1')).toMatchObject({ published: false });
    expect(performance.now() - begun).toBeGreaterThan(950);
    expect(performance.now() - begun).toBeLessThan(15_000);
  });

  it('12.5 frees its slot when the client has left', async () => {
    const service = await start();
    const domain = await newDomain(service);
    const url = `${service.url}/v1/domains/${domain.id}/publication?wait=60`;
    const headers = { 'X-Auth-Project-ID': 'tenant-a', 'X-Roles': 'member' };
    for (let round = 0; round < 3; round++) {
      const gone = new AbortController();
      const asked = Array.from({ length: 12 }, () => fetch(url, { headers, signal: gone.signal }));
      await delay(200);
      gone.abort();
      await Promise.allSettled(asked);
      await delay(300);
    }
    expect(await publicationOf(service, domain, '?wait=1')).toMatchObject({ published: false });
  });

  it('12.5 is exact whichever of two services is asked', async () => {
    const [first, second] = [await start(), await start()];
    for (const secondary of secondaries) follow(secondary, first);
    for (const [maker, asked] of [
      [first, second],
      [second, first],
    ] as const) {
      const domain = await newDomain(maker);
      for (let change = 0; change < 3; change++) {
        await domain.newRecord({ name: domain.at(`h${change}`) });
        const { serial } = await domain.now();
        const publication = await publicationOf(asked, domain, '?wait=10');
        expect(publication.published).toBe(true);
        expect(publication.serial).toBeGreaterThanOrEqual(serial);
        for (const secondary of secondaries) expect(secondary.serials.get(domain.name)).toBe(publication.serial);
      }
    }
  });

  it('12.5 rejects unanswerable requests', async () => {
    const service = await start();
    const domain = await newDomain(service);
    const path = `/v1/domains/${domain.id}/publication`;
    for (const query of ['?wait=-1', '?wait=61', '?wait=soon'])
      await refusalOf(service.call('get', path + query), 400, 'invalid_object');
    await refusalOf(service.as('somebody-else').call('get', path), 404, 'domain_not_found');
  });

  it('12.5 is true immediately without name servers', async () => {
    const service = await startTestService({}, directory);
    services.push(service);
    const domain = await newDomain(service);
    expect(await publicationOf(service, domain)).toEqual({ serial: domain.serial, published: true, servers: [] });
  });
});

describe('a server with a later serial than the database', () => {
  it('12.3 makes the service go above it, once (attack case 102)', async () => {
    const service = await start();
    const domain = await newDomain(service);
    const ahead = domain.serial + 5000;
    for (const secondary of secondaries) {
      secondary.serials.set(domain.name, ahead);
      secondary.onNotify = (zone) => {
        const serial = servedOf(service.databaseFile, zone);
        if (serial !== null && serial > ahead) secondary.serials.set(zone, serial);
      };
    }
    await until(async () => (await publicationOf(service, domain)).serial > ahead);
    expect((await publicationOf(service, domain, '?wait=10')).published).toBe(true);
    const raises = journalOf(service.databaseFile, domain.id).filter(({ action }) => action === 'zone.serial');
    expect(raises.map(({ serial }) => serial)).toEqual([ahead + 1]);
  });
});

describe('zonewright zone status', () => {
  const zonewright = (...args: string[]): Promise<Ended> =>
    runCommand(directory, environmentOf(directory, settings()), args);

  it('12.5 shows a table, and waits on request', async () => {
    const service = await start();
    follow(secondaries[0]!, service);
    const domain = await newDomain(service);
    await until(async () => (await publicationOf(service, domain)).servers[1]!.error !== null);
    const before = await zonewright('zone', 'status', domain.name);
    expect(before).toMatchObject({ code: 1, stderr: expect.stringContaining('not on all name servers yet') });
    expect(before.stdout.split('\n')[0]).toBe(`${domain.name} serial ${domain.serial}: not published yet`);
    expect(before.stdout).toContain('SOA: REFUSED');
    const waiting = zonewright('zone', 'status', domain.name, '--wait');
    await delay(500);
    secondaries[1]!.serials.set(domain.name, domain.serial);
    const after = await waiting;
    expect(after).toMatchObject({ code: 0, stderr: '' });
    expect(after.stdout).toContain(`${domain.name} serial ${domain.serial}: published`);
    expect(after.stdout.match(/ current /g)).toHaveLength(2);
  });
});
