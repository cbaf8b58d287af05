import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Scheduler } from '../../src/background/scheduler.js';
import { Rcode } from '../../src/dns/message/codes.js';
import { answerOf, bodyOf, expectRefusal } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { EventReader } from '../support/event-reader.js';
import { type LiveCheck, LiveWorld } from '../support/live-world.js';
import { LoopbackDns, type Says } from '../support/loopback-dns.js';
import { samplesIn, sumOf } from '../support/metrics.js';
import { itAtPort53 } from '../support/parent-servers.js';
import { ON_POSTGRES } from '../support/postgres/databases.js';
import {
  type Client,
  databaseFileIn,
  removeTestData,
  type Settings,
  startTestService,
  type TestService,
} from '../support/service.js';
import { executeIn, lookInto } from '../support/stored.js';
import { until } from '../support/until.js';
import { newWebhook, WebhookReceiver, WEBHOOKS_ON } from '../support/webhook-receiver.js';

interface LastCheck extends LiveCheck {
  readonly checked_at: string;
  readonly counts: { readonly errors: number; readonly warnings: number; readonly notices: number };
}

interface Row {
  readonly zone_id: string;
  readonly next_at: number | string | null;
}

const INTERVAL_S = 3600;
const RELEASED = 'app.herokudns.com.';
const SILENT = 'silent.example.';

let directory: string;
let resolver: LoopbackDns;
let services: TestService[];
/** Whether the target of the domains has been released, or exists. The resolver fails otherwise. */
let isReleased = false;
let isResolved = false;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-live-'));
  services = [];
  [isReleased, isResolved] = [false, false];
  resolver = await LoopbackDns.start({ address: '127.0.0.1', port: 0 }, (name) => {
    if (name.endsWith(SILENT)) return null;
    if (name === RELEASED && isResolved) return { answers: [] };
    return name === RELEASED && isReleased ? { rcode: Rcode.NXDOMAIN } : { rcode: Rcode.SERVFAIL };
  });
});
afterEach(async () => {
  for (const service of services) await service.stop();
  await resolver.stop();
  if (services.length > 0) audit(databaseFileIn(directory));
  await removeTestData(directory);
});

async function start(settings: Settings = {}): Promise<TestService> {
  const service = await startTestService(
    {
      SERVICE_LIVE_CHECKS__RESOLVER: resolver.address,
      SERVICE_LIVE_CHECKS__INTERVAL: String(INTERVAL_S),
      SERVICE_LIVE_CHECKS__SCHEDULED_QUERIES_PER_SECOND: '200',
      ...settings,
    },
    directory,
  );
  services.push(service);
  return service;
}

const lastOf = ({ id }: TestDomain, client: Client) => client.call('get', `/v1/domains/${id}/live-check/last`);

function rows(): Row[] {
  return lookInto(databaseFileIn(directory), (stored) =>
    stored.rows<Row>('SELECT zone_id, next_at FROM live_checks ORDER BY zone_id'),
  );
}

/** A service that has just started has no lease yet. */
async function sweep(service: TestService, isSwept: () => boolean): Promise<void> {
  await until(async () => {
    await service.running.get(Scheduler).runNow('live_checks.sweep');
    return isSwept();
  });
}

const hasRows = (count: number) => () => rows().length === count;

function makeDue(): void {
  executeIn(databaseFileIn(directory), 'UPDATE live_checks SET next_at = 1');
}

/** Domains with a target that may be released, and all that the resolver is asked for them. */
async function domainsOf(client: Client, count: number, target = RELEASED): Promise<TestDomain[]> {
  const domains: TestDomain[] = [];
  for (let at = 0; at < count; at += 1) {
    const domain = await newDomain(client);
    await domain.newRecord({ name: domain.at('app'), type: 'CNAME', data: target });
    domains.push(domain);
  }
  return domains;
}

async function checkedAt(domain: TestDomain, client: Client): Promise<string | null> {
  const { status, body } = await lastOf(domain, client);
  return status === 200 ? (body as LastCheck).checked_at : null;
}

async function sample(service: TestService, name: string, labels: Record<string, string> = {}): Promise<number> {
  const { text } = await answerOf(
    service.plain('get', '/metrics').set('X-Auth-Project-ID', 'admin').set('X-Roles', 'admin'),
  );
  return sumOf(samplesIn(text), name, labels);
}

describe('27.12 the last result', () => {
  it('27.12 is stored by a check on request, and outlives a restart', async () => {
    const first = await start({ SERVICE_LIVE_CHECKS__INTERVAL: '' });
    const [domain] = await domainsOf(first, 1);
    expect(await bodyOf(lastOf(domain!, first))).toMatchObject({
      checked_at: null,
      findings: [],
      counts: { errors: 0 },
    });
    isReleased = true;
    const check = await bodyOf<LastCheck>(first.call('get', `/v1/domains/${domain!.id}/live-check`));
    expect(check.findings.slice(0, 2)).toMatchObject([{ kind: 'takeover_risk' }, { severity: 'warning' }]);
    const counts = { errors: 1, warnings: 1, notices: check.findings.length - 2 };
    expect(await bodyOf(lastOf(domain!, first))).toEqual({ ...check, counts });
    await first.stop();
    const second = await start({ SERVICE_LIVE_CHECKS__INTERVAL: '' });
    expect(await bodyOf(lastOf(domain!, second))).toEqual({ ...check, counts });
    expectRefusal(await lastOf(domain!, second.as('other')), { status: 404, type: 'domain_not_found' });
    expect(rows()).toEqual([{ zone_id: domain!.id, next_at: null }]);
  });

  it('27.12 has the first 100 findings, and the number of all', async () => {
    const service = await start({ SERVICE_LIVE_CHECKS__INTERVAL: '' });
    const domain = await newDomain(service);
    const targets = Array.from({ length: 110 }, (_, at) => `n${at} CNAME t${at}.example.com.`);
    await domain.import(`${targets.join('\n')}\n`);
    const check = await bodyOf<LastCheck>(service.call('get', `/v1/domains/${domain.id}/live-check`));
    expect(check.findings.length).toBeGreaterThan(110);
    const last = await bodyOf<LastCheck>(lastOf(domain, service));
    expect(last.findings).toEqual(check.findings.slice(0, 100));
    expect(last.counts.errors + last.counts.warnings + last.counts.notices).toBe(check.findings.length);
  });
});

describe('27.13 the schedule', () => {
  it('27.13 spreads new domains over the interval, checks those that are due, and counts', async () => {
    const service = await start();
    const domains = await domainsOf(service, 4);
    await sweep(service, hasRows(4));
    const now = Date.now() * 1000;
    const times = rows().map(({ next_at }) => Number(next_at) - now);
    expect(new Set(times).size).toBe(4);
    for (const time of times) {
      expect(time).toBeGreaterThan(-10e6);
      expect(time).toBeLessThan(INTERVAL_S * 1e6);
    }
    const before = await sample(service, 'zonewright_live_checks_total', { started_by: 'schedule' });
    isReleased = true;
    makeDue();
    for (const domain of domains) await until(async () => (await checkedAt(domain, service)) !== null);
    const last = await bodyOf<LastCheck>(lastOf(domains[0]!, service));
    expect(last).toMatchObject({ complete: true, counts: { errors: 1, warnings: 1 } });
    const { next_at } = rows().find(({ zone_id }) => zone_id === domains[0]!.id)!;
    expect(Number(next_at) / 1e6).toBeCloseTo(Date.parse(`${last.checked_at}Z`) / 1000 + INTERVAL_S, 0);

    await sweep(service, hasRows(4));
    expect(await sample(service, 'zonewright_live_check_zones', { severity: 'error' })).toBe(4);
    expect(await sample(service, 'zonewright_live_check_zones', { severity: 'warning' })).toBe(0);
    expect(await sample(service, 'zonewright_live_checks_total', { started_by: 'schedule' })).toBe(before + 4);
    await until(async () => (await sample(service, 'zonewright_live_check_backlog_seconds')) === 0);
  });

  it('27.13 sends no more queries than the budget allows', async () => {
    const service = await start({ SERVICE_LIVE_CHECKS__SCHEDULED_QUERIES_PER_SECOND: '10' });
    await domainsOf(service, 12);
    await sweep(service, hasRows(12));
    makeDue();
    await until(() => resolver.asked.length > 0);
    const began = performance.now();
    await until(() => resolver.asked.length >= 30);
    expect((performance.now() - began) / 1000).toBeGreaterThan(2.5);
    expect(await sample(service, 'zonewright_live_check_backlog_seconds')).toBeGreaterThan(INTERVAL_S);
  });

  it('27.13 gives other tenants their turn while name servers of one are silent', async () => {
    const service = await start({
      SERVICE_LIVE_CHECKS__SCHEDULED_QUERIES_PER_SECOND: '40',
      SERVICE_LIVE_CHECKS__TIME_LIMIT: '4',
    });
    const [mallory, other] = [service.as('mallory'), service.as('other')];
    const silent = await domainsOf(mallory, 9, `a.${SILENT}`);
    const [own] = await domainsOf(other, 1);
    await sweep(service, hasRows(10));
    makeDue();
    const began = performance.now();
    await until(async () => (await checkedAt(own!, other)) !== null);
    expect(performance.now() - began).toBeLessThan(6000);
    const checked = await Promise.all(silent.map((domain) => checkedAt(domain, mallory)));
    expect(checked.filter((time) => time !== null).length).toBeLessThan(silent.length);
  });

  it('27.13 forgets deleted domains', async () => {
    const service = await start();
    const [kept, deleted] = await domainsOf(service, 2);
    await sweep(service, hasRows(2));
    await answerOf(service.call('delete', `/v1/domains/${deleted!.id}`));
    await sweep(service, hasRows(1));
    expect(rows().map(({ zone_id }) => zone_id)).toEqual([kept!.id]);
  });

  it('27.13 takes a shorter interval for domains that have a time', async () => {
    const first = await start({ SERVICE_LIVE_CHECKS__INTERVAL: '31536000' });
    await domainsOf(first, 3);
    await sweep(first, hasRows(3));
    const latest = (): number => (Date.now() + INTERVAL_S * 1000) * 1000;
    expect(rows().some(({ next_at }) => Number(next_at) > latest())).toBe(true);
    await first.stop();
    const second = await start();
    await sweep(second, () => rows().every(({ next_at }) => Number(next_at) <= latest()));
  });

  (ON_POSTGRES ? it : it.skip)('27.13 checks in one of several processes', async () => {
    const [one] = [await start(), await start()];
    const domains = await Promise.all(
      Array.from({ length: 6 }, async (_, at) => (await domainsOf(one, 1, `p${at}.example.com.`))[0]!),
    );
    await sweep(one, hasRows(6));
    makeDue();
    for (const domain of domains) await until(async () => (await checkedAt(domain, one)) !== null);
    const asked = resolver.asked.filter((line) => line.includes('.example.com. '));
    expect(asked).toHaveLength(new Set(asked).size);
  });
});

describe('27.14 events', () => {
  const TENANT = 'acme';
  const EVENTS = { SERVICE_API__ENABLED_EXTENSIONS_V1: 'events, webhooks' };
  const typesOf = (reader: EventReader): string[] =>
    reader.events.map(({ type }) => type.replace('zonewright.domain.', '')).filter((type) => type.startsWith('live_'));

  async function check(domain: TestDomain, client: Client): Promise<void> {
    await answerOf(client.call('get', `/v1/domains/${domain.id}/live-check`));
  }

  it('27.14 tells once that a domain fails and once that it recovers, also after a restart', async () => {
    const first = await start(EVENTS);
    const client = first.as(TENANT);
    const [domain] = await domainsOf(client, 1);
    const reader = await EventReader.as(TENANT, first.url).started();
    try {
      await check(domain!, client);
      isReleased = true;
      await sweep(first, hasRows(1));
      makeDue();
      await until(() => typesOf(reader).length === 1);
      const { event } = reader.events.at(-1)!;
      const last = await bodyOf<LastCheck>(lastOf(domain!, client));
      const micros = BigInt(Date.parse(`${last.checked_at.slice(0, 19)}Z`)) * 1000n + BigInt(last.checked_at.slice(20));
      expect(event).toMatchObject({
        type: 'zonewright.domain.live_check_failing',
        id: `${domain!.id}:live_check:${micros}`,
        data: {
          domain: { id: domain!.id, name: domain!.name },
          ...{ checked_at: last.checked_at, counts: last.counts },
          findings: last.findings.filter(({ severity }) => severity === 'error'),
        },
      });
      await check(domain!, client);
    } finally {
      reader.close();
    }
    await first.stop();
    // The target is unknown: that is no recovery.
    isReleased = false;
    const second = await start(EVENTS);
    const again = second.as(TENANT);
    const later = await EventReader.as(TENANT, second.url, { query: 'since=0' }).started();
    try {
      await check(domain!, again);
      isResolved = true;
      await check(domain!, again);
      await until(() => typesOf(later).length === 2);
      await check(domain!, again);
      expect(typesOf(later)).toEqual(['live_check_failing', 'live_check_recovered']);
      expect(later.events.at(-1)!.event.data).toMatchObject({ counts: { errors: 0 }, findings: [] });
    } finally {
      later.close();
    }
  });

  itAtPort53()('27.14 tells of a broken delegation and its repair', async () => {
    const settings = { SERVICE_LIVE_CHECKS__INTERVAL: String(INTERVAL_S), ...EVENTS };
    const world = await LiveWorld.start(settings);
    const reader = await EventReader.as('tenant-a', world.service.url).started();
    try {
      const domain = await world.domain();
      const parent: Says = (_, type) => (type === 'NS' ? { rcode: Rcode.NXDOMAIN } : { answers: [] });
      await world.serveInOrder(domain, { parent });
      await world.check(domain);
      await until(() => typesOf(reader).length === 1);
      expect(reader.events.at(-1)!.event.data).toMatchObject({ findings: [{ kind: 'not_delegated' }] });
      // A silent parent is unknown: that is no repair.
      await world.stopServers();
      await world.serveInOrder(domain, { parent: () => null });
      await world.check(domain);
      await world.stopServers();
      await world.serveInOrder(domain);
      await world.check(domain);
      await until(() => typesOf(reader).length === 2);
      expect(typesOf(reader)).toEqual(['live_check_failing', 'live_check_recovered']);
      expect(reader.events.at(-1)!.event.data.counts).toEqual({ errors: 0, warnings: 0, notices: 0 });
    } finally {
      reader.close();
      await world.stop();
    }
  });

  it('27.14 tells webhooks that name the action', async () => {
    const service = await start({ ...WEBHOOKS_ON, ...EVENTS });
    const receiver = await WebhookReceiver.listening();
    try {
      const client = service.as(TENANT);
      await newWebhook(client, { url: receiver.url(), actions: ['domain.live_check_failing'] });
      const [domain] = await domainsOf(client, 1);
      isReleased = true;
      await check(domain!, client);
      const [received] = await receiver.untilReceived(1);
      expect(received?.event).toMatchObject({
        type: 'zonewright.domain.live_check_failing',
        data: { counts: { errors: 1 } },
      });
    } finally {
      await receiver.stop();
    }
  });
});
