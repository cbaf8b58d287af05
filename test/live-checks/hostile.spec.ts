import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import { Rcode } from '../../src/dns/message/codes.js';
import { bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { TestDomain } from '../support/domain.js';
import {
  authoritative,
  kindsOf,
  type LiveCheck,
  LiveWorld,
  NAME_SERVERS,
  PARENT,
  referral,
} from '../support/live-world.js';
import { itAtPort53, MAY_LISTEN_AT_53 } from '../support/parent-servers.js';
import type { Client } from '../support/service.js';
import { until } from '../support/until.js';

const TIME_LIMIT_S = 4;
const MOST_QUERIES = 40;

let world: LiveWorld;
beforeAll(async () => {
  if (!MAY_LISTEN_AT_53) return;
  world = await LiveWorld.start({
    SERVICE_LIVE_CHECKS__TIME_LIMIT: String(TIME_LIMIT_S),
    SERVICE_LIVE_CHECKS__MAX_QUERIES: String(MOST_QUERIES),
    SERVICE_LIVE_CHECKS__ISSUERS: 'ca.example',
  });
});
afterAll(async () => {
  if (!MAY_LISTEN_AT_53) return;
  audit(world.service.databaseFile);
  await world.stop();
});
afterEach(() => (MAY_LISTEN_AT_53 ? world.stopServers() : undefined));

async function targeting(targets: readonly string[], client: Client = world.service): Promise<TestDomain> {
  const domain = await world.domain(client);
  const lines = targets.map((target, at) => `${at % 2 === 0 ? '@ MX 10' : `n${at} CNAME`} ${target}`);
  await domain.import(`${lines.join('\n')}\n`);
  return domain;
}

async function timed(work: Promise<LiveCheck>): Promise<LiveCheck & { seconds: number }> {
  const began = performance.now();
  return { ...(await work), seconds: (performance.now() - began) / 1000 };
}

describe('27.2 hostile answers', () => {
  itAtPort53()('27.2 reads loops, long chains and floods as unknown', async () => {
    const chain = Array.from({ length: 12 }, (_, at) => `c${at}.example. CNAME c${at + 1}.example.`);
    world.known.set('loop.example.', { answers: ['loop.example. CNAME loop.example.'] });
    world.known.set('c0.example.', { answers: chain });
    const flood = Array.from({ length: 2000 }, (_, at) => `other${at}.example. A 192.0.2.1`);
    world.known.set('flood.example.', { answers: flood });
    world.known.set('liar.example.', { answers: ['other.example. A 192.0.2.1'] });
    const domain = await targeting(['loop.example.', 'c0.example.', 'flood.example.', 'c0.example.', 'liar.example.']);
    await world.serveInOrder(await domain.now());
    const check = await world.check(domain);
    expect(check.complete).toBe(true);
    expect(kindsOf(check).sort()).toEqual([
      ...['target_unknown', 'target_unknown', 'target_without_address', 'target_without_address'],
    ]);
  });

  itAtPort53()('27.2 reads answers with malformed records as unknown', async () => {
    const broken = (name: string, type: string): readonly string[] => [`${name} ${type} raw ff`];
    for (const type of ['A', 'AAAA', 'TXT'])
      world.known.set(`broken.example. ${type}`, { answers: broken('broken.example.', type) });
    world.known.set(`${PARENT} CAA`, { answers: broken(PARENT, 'CAA') });
    const domain = await targeting(['broken.example.']);
    await domain.newRecord({ name: domain.name, type: 'TXT', data: 'v=spf1 include:broken.example -all' });
    const { serial } = await domain.now();
    const referring = referral(NAME_SERVERS);
    const child = authoritative(domain.name, serial);
    await world.serveInOrder(
      { name: domain.name, serial },
      {
        parent: (name, type) => (type === 'DS' ? { answers: broken(name, type) } : referring(name, type, 'TCP')),
        one: (name, type) => (type === 'DNSKEY' ? { answers: broken(name, type) } : child(name, type, 'TCP')),
      },
    );
    const check = await world.check(domain);
    world.known.delete(`${PARENT} CAA`);
    // Such messages count as none, so they cost time.
    expect(kindsOf(check).filter((kind) => kind !== 'target_unknown' && kind !== 'not_checked')).toEqual([]);
  });

  itAtPort53()('27.2 asks at most max_queries, name servers first', async () => {
    const domain = await targeting(Array.from({ length: 120 }, (_, at) => `t${at}.example.`));
    const { serial } = await domain.now();
    await world.serveInOrder({ name: domain.name, serial }, { two: authoritative(domain.name, serial - 1) });
    const check = await world.check(domain);
    expect(check).toMatchObject({ complete: false, queries: MOST_QUERIES });
    expect(kindsOf(check)).toContain('old_serial');
    expect(kindsOf(check).at(-1)).toBe('not_checked');
  });

  itAtPort53()('27.2 asks an address once, however many names lead to it', async () => {
    const names = Array.from({ length: 18 }, (_, at) => `same${at}.hoster.example.`);
    for (const name of names) world.host(name, world.addresses[1]);
    const domain = await world.domain();
    await world.serve(world.addresses[0], referral([...names]));
    const server = await world.serve(world.addresses[1], authoritative(domain.name, domain.serial));
    await world.check(domain);
    expect(server.asked.length).toBeLessThanOrEqual(3);
  });

  itAtPort53()('27.2 ends in time with silent servers and a silent resolver', async () => {
    const domain = await targeting(Array.from({ length: 20 }, (_, at) => `silent${at}.example.`));
    for (let at = 0; at < 20; at += 1) world.known.set(`silent${at}.example.`, null);
    await world.serve(world.addresses[0], referral(NAME_SERVERS));
    await world.serve(world.addresses[1], () => null);
    await world.serve(world.addresses[2], () => null);
    const check = await timed(world.check(domain));
    expect(check.complete).toBe(false);
    expect(kindsOf(check)).toContain('not_checked');
    expect(check.seconds).toBeLessThan(TIME_LIMIT_S + 1.5);
    const answer = world.known.get(`${PARENT} SOA`) ?? null;
    world.known.set(`${PARENT} SOA`, null);
    const blind = await timed(world.check(await world.domain()));
    world.known.set(`${PARENT} SOA`, answer);
    expect(blind.seconds).toBeLessThan(TIME_LIMIT_S + 1.5);
  });

  itAtPort53()('27.2 lets no tenant keep another one waiting', async () => {
    const mallory = world.service.as('mallory');
    const silent = Array.from({ length: 100 }, (_, at) => `hang${at}.example.`);
    for (const name of silent) world.known.set(name, null);
    const domains: TestDomain[] = [];
    for (let at = 0; at < 3; at += 1) domains.push(await targeting(silent, mallory));
    const own = await world.domain(world.service.as('other'));
    await world.serveInOrder(own);
    const path = ({ id }: TestDomain): string => `/v1/domains/${id}/live-check`;
    const attack = domains.slice(0, 2).map((domain) => bodyOf<LiveCheck>(mallory.call('get', path(domain))));
    const asked = (): number => world.resolver.asked.filter((one) => one.includes('hang')).length;
    await until(async () => asked() > 0);
    expect((await mallory.call('get', path(domains[2]!))).status).toBe(503);
    const check = await timed(world.check(own, world.service.as('other')));
    expect(check).toMatchObject({ complete: true, findings: [] });
    expect(check.seconds).toBeLessThan(2);
    const ended = await Promise.all(attack);
    expect(ended.every(({ complete }) => !complete)).toBe(true);
    // 80 queries a second at most, and these do not end.
    expect(asked()).toBeLessThanOrEqual(2 * MOST_QUERIES);
  });

  itAtPort53()('27.2 stops asking when the client disconnects', async () => {
    const silent = Array.from({ length: 100 }, (_, at) => `gone${at}.example.`);
    for (const name of silent) world.known.set(name, { rcode: Rcode.SERVFAIL });
    const domain = await targeting(silent);
    await world.serveInOrder(await domain.now());
    const asked = (): number => world.resolver.asked.filter((one) => one.includes(' gone')).length;
    const request = world.service.call('get', `/v1/domains/${domain.id}/live-check`);
    request.end(() => undefined);
    await until(async () => asked() > 0);
    request.abort();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const after = asked();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(asked()).toBe(after);
    expect(after).toBeLessThan(MOST_QUERIES);
  });
});
