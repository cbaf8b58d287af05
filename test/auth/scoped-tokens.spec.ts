import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { answerOf, bodyOf, expectStatus, refusalOf } from '../support/answers.js';
import { audit, contentsOf } from '../support/audit.js';
import type { DomainBody } from '../support/bodies.js';
import { freshName, newDomain, TestDomain } from '../support/domain.js';
import type { Client, Method } from '../support/service.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { INSIDE } from './scoped-requests/inside.js';
import { OUTSIDE } from './scoped-requests/outside.js';
import { filledWith, routesWith } from './scoped-requests/routes.js';
import { ACME, challengeAt, type Way, type World } from './scoped-requests/way.js';

describe('14.2 scoped tokens', () => {
  let service: TokenService;
  let wide: TokenClient;
  let scoped: TokenClient;
  let world: World;
  beforeAll(async () => {
    service = await startTokenService();
    wide = await service.newToken();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    const domain = await newDomain(wide);
    const other = await newDomain(wide);
    const first = await domain.now();
    const www = await domain.newRecord();
    const challenge = await domain.newRecord(challengeAt(domain.name));
    const shareOfDomain = await shareOf(domain);
    world = { domain, other, www, challenge, firstSerial: first.serial, shareOfDomain, ...(await setIdsOf(domain)) };
    scoped = await service.newToken({ restrictions: { domains: [domain.name], ...ACME } });
  });

  async function shareOf({ id }: DomainBody): Promise<string> {
    const target = { target_project_id: 'guests' };
    return (await bodyOf<{ id: string }>(wide.call('post', `/v2/zones/${id}/shares`, target), 201)).id;
  }

  /** The data of the other domain. */
  async function worldOfOther(): Promise<World> {
    const { domain, other } = world;
    const { serial: firstSerial } = await other.now();
    const www = await other.newRecord({ name: other.at('www'), type: 'A', data: '192.0.2.1' });
    const challenge = await other.newRecord(challengeAt(other.name));
    const shareOfDomain = await shareOf(other);
    return { domain: other, other: domain, www, challenge, firstSerial, shareOfDomain, ...(await setIdsOf(other)) };
  }

  async function setIdsOf(domain: DomainBody) {
    const path = `/v2/zones/${domain.id}/recordsets`;
    const { recordsets } = await bodyOf<{ recordsets: { id: string; type: string }[] }>(wide.call('get', path));
    const idOf = (type: string) => recordsets.find((set) => set.type === type)!.id;
    return { wwwSet: idOf('A'), challengeSet: idOf('TXT') };
  }

  const titled = (ways: readonly Way[]) => ways.map(({ route, what, send }) => [route, what, send] as const);

  it.each(titled(OUTSIDE))('14.2 (attack cases 52, 53) %s refuses %s', async (route, _, send) => {
    const before = contentsOf(service.databaseFile);
    const answer = await send(scoped, world);
    expect({ status: answer.status, type: answer.body.type }).toEqual(refusalIn(route));
    expect(contentsOf(service.databaseFile)).toEqual(before);
    audit(service.databaseFile);
  });

  it.each(titled(INSIDE))('14.2 %s takes %s that it is for', async (_, __, send) => {
    const answer = await send(scoped, world);
    if (answer.status >= 300) throw new Error(answer.text);
    audit(service.databaseFile);
  });

  it('14.2 (attack case 53) every write route is covered here, or only admins have it', async () => {
    const tried = new Set(OUTSIDE.map(({ route }) => route));
    const before = contentsOf(service.databaseFile);
    for (const route of await routesWith(service, ['post', 'put', 'patch', 'delete'])) {
      if (tried.has(route)) continue;
      const [method, path] = route.split(' ') as [Method, string];
      const answer = await scoped.call(method, filledWith(path, world), method === 'delete' ? undefined : {});
      expect({ route, refused: answer.status >= 400 && answer.status < 500 }).toEqual({ route, refused: true });
    }
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });

  it('14.2 (attack cases 41, 53) no route changes another domain of the tenant', async () => {
    const token = await service.newToken({ restrictions: { domains: [world.domain.name] } });
    const elsewhere = await worldOfOther();
    const before = contentsOf(service.databaseFile);
    for (const { route, what, send } of [...OUTSIDE, ...INSIDE]) {
      if (route === 'post /v1/tokens') continue;
      const { status } = await send(token, elsewhere);
      expect({ route, what, refused: [401, 403, 404].includes(status) }).toEqual({ route, what, refused: true });
    }
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });

  it('14.2 (attack case 41) no route reveals another domain of the tenant', async () => {
    const token = await service.newToken({ restrictions: { domains: [world.domain.name] } });
    const elsewhere = await worldOfOther();
    const { id, name } = elsewhere.domain;
    const offer = wide.call('post', `/v2/zones/${id}/tasks/transfer_requests`, {});
    const ids = {
      share_id: elsewhere.shareOfDomain,
      request_id: (await bodyOf<{ id: string }>(offer, 201)).id,
      export_id: (await bodyOf<{ id: string }>(wide.call('post', `/v2/zones/${id}/tasks/export`), 202)).id,
    };
    const tells = async (client: Client, path: string): Promise<boolean> => {
      const { status, text } = await client.call('get', path);
      return status < 300 && (text.includes(id) || text.includes(name));
    };
    const told: string[] = [];
    for (const route of await routesWith(service, ['get'])) {
      const path = filledWith(route.replace('get ', ''), elsewhere, ids);
      const asked = path === '/v1/history' ? `${path}?domain=${name}` : path;
      if (await tells(wide, asked)) told.push(route);
      expect({ route, tells: await tells(token, asked) }).toEqual({ route, tells: false });
    }
    expect(told.length).toBeGreaterThan(15);
  });

  it('14.2 (attack case 41) other domains are as if they were not there', async () => {
    const { domain, other } = world;
    const record = await other.newRecord(challengeAt(other.name));
    const asSeen = async (path: string) => withoutId(await scoped.call('get', path));
    for (const rest of ['', '/records', '/servers', '/export', '/check', '/publication', '/history'])
      expect(await asSeen(`/v1/domains/${other.id}${rest}`)).toEqual(
        await asSeen(`/v1/domains/${randomUUID()}${rest}`),
      );
    await refusalOf(scoped.call('get', `/v1/domains/${other.id}/records/${record.id}`), 404, 'domain_not_found');
    await refusalOf(new TestDomain(scoped, other).create(challengeAt(other.name)), 404, 'domain_not_found');
    await refusalOf(new TestDomain(scoped, other).delete(record.id), 404, 'domain_not_found');
    for (const path of [`/v2/zones/${other.id}`, `/v2/zones/${other.id}/recordsets`])
      expectStatus(await scoped.call('get', path), 404);
    const { domains } = await bodyOf<{ domains: DomainBody[] }>(scoped.call('get', '/v1/domains'));
    expect(domains.map(({ id }) => id)).toEqual([domain.id]);
  });

  it('14.2 lists show the domains in scope, with their contents', async () => {
    const { domain, other } = world;
    await other.newRecord();
    const names = async (path: string, field: string) =>
      (await bodyOf<Record<string, { name: string }[]>>(scoped.call('get', path)))[field]!.map(({ name }) => name);
    expect(await names('/v2/zones', 'zones')).toEqual([domain.name]);
    expect(await names(`/v2/zones?name=${other.name}`, 'zones')).toEqual([]);
    const sets = await names('/v2/recordsets', 'recordsets');
    expect(sets).toContain(domain.at('www'));
    expect(sets.every((name) => name.endsWith(domain.name))).toBe(true);
    const [set] = (await bodyOf<{ recordsets: { id: string }[] }>(wide.call('get', `/v2/zones/${other.id}/recordsets`)))
      .recordsets;
    expectStatus(await scoped.call('get', `/v2/recordsets/${set!.id}`), 404);
    expect(await names('/v1/domains?limit=1', 'domains')).toEqual([domain.name]);
  });

  it('14.2 reads everything in its domains, independent of its write scope', async () => {
    const { domain, www } = world;
    expect(await bodyOf(new TestDomain(scoped, domain).get(www.id))).toEqual(www);
    await answerOf(scoped.call('get', `/v2/zones/${domain.id}/recordsets/${world.wwwSet}`));
    await answerOf(scoped.call('get', `/v1/domains/${domain.id}/history`));
    await answerOf(scoped.call('get', `/v1/domains/${domain.id}/export`));
  });

  it('14.2 the history of a deleted domain is for tokens of that domain', async () => {
    const { domain } = world;
    const stranger = await service.newToken({ restrictions: { domains: [world.other.name] } });
    await answerOf(wide.call('delete', `/v2/zones/${domain.id}/shares/${world.shareOfDomain}`), 204);
    await answerOf(wide.call('delete', `/v1/domains/${domain.id}`));
    await answerOf(scoped.call('get', `/v1/domains/${domain.id}/history`));
    expectStatus(await stranger.call('get', `/v1/domains/${domain.id}/history`), 404);
  });

  it('14.2 (attack case 52) a record cannot be renamed into the scope of a token, nor out of it', async () => {
    const { domain } = world;
    const token = await service.newToken({ restrictions: { names: ['_acme-challenge.*'], types: ['TXT'] } });
    const text = await domain.newRecord({ name: domain.at('text'), type: 'TXT', data: 'x' });
    const renamed = (id: string, name: string) => new TestDomain(token, domain).update(id, { name });
    await refusalOf(renamed(text.id, domain.at('_acme-challenge.in')), 401, 'access_denied');
    await refusalOf(renamed(world.challenge.id, domain.at('out')), 401, 'access_denied');
    await answerOf(renamed(world.challenge.id, domain.at('_acme-challenge.there')));
  });

  it('14.2 a token for whole domains changes them as far as its actions go', async () => {
    const { domain } = world;
    const name = freshName();
    const restrictions = { domains: [domain.name, name], actions: ['create', 'update'] };
    const token = await service.newToken({ restrictions });
    await answerOf(token.call('put', `/v1/domains/${domain.id}`, { ttl: 77 }));
    await answerOf(token.call('post', '/v1/domains', { name, email: 'a@example.org' }));
    await refusalOf(token.call('delete', `/v1/domains/${domain.id}`), 401, 'access_denied');
    await refusalOf(
      token.call('post', '/v1/domains', { name: `below.${name}`, email: 'a@example.org' }),
      401,
      'access_denied',
    );
    await answerOf(new TestDomain(token, domain).create({ name: domain.at('a'), type: 'A', data: '192.0.2.1' }));
    await refusalOf(new TestDomain(token, domain).delete(world.www.id), 401, 'access_denied');
    const outside = `/v2/zones/${domain.id}/tasks/transfer_requests`;
    expectStatus(await token.call('post', outside, {}), 403);
  });

  it('14.2 a scoped token has no access to transfers, imports and exports of others', async () => {
    const { domain } = world;
    const offered = await bodyOf<{ id: string; key: string }>(
      wide.call('post', `/v2/zones/${domain.id}/tasks/transfer_requests`, {}),
      201,
    );
    const request = `/v2/zones/tasks/transfer_requests/${offered.id}`;
    const exported = await bodyOf<{ id: string }>(wide.call('post', `/v2/zones/${domain.id}/tasks/export`), 202);
    for (const [method, path, body] of [
      ['get', request, undefined],
      ['patch', request, { description: 'mine' }],
      ['delete', request, undefined],
      ['post', '/v2/zones/tasks/transfer_accepts', { zone_transfer_request_id: offered.id, key: offered.key }],
      ['get', `/v2/zones/tasks/exports/${exported.id}`, undefined],
      ['get', `/v2/zones/tasks/exports/${exported.id}/export`, undefined],
      ['delete', `/v2/zones/tasks/exports/${exported.id}`, undefined],
    ] as const)
      expect([method, path, [403, 404].includes((await scoped.call(method, path, body)).status)]).toEqual([
        method,
        path,
        true,
      ]);
    for (const list of ['exports', 'imports', 'transfer_requests']) {
      const body = await bodyOf<Record<string, unknown>>(scoped.call('get', `/v2/zones/tasks/${list}`));
      expect(Object.values(body).filter(Array.isArray).flat()).toEqual([]);
    }
    await answerOf(wide.call('get', request));
  });

  it('14.2 (attack case 67) a scoped token does not get the stored response of another token', async () => {
    const { domain } = world;
    const key = randomUUID();
    const body = { name: domain.at('www'), type: 'A', data: '192.0.2.77' };
    const once = (client: Client) => new TestDomain(client, domain).create(body).set('Idempotency-Key', key);
    await answerOf(once(wide));
    await refusalOf(once(scoped), 401, 'access_denied');
    const own = (client: Client) =>
      new TestDomain(client, domain).create(challengeAt(domain.name.toUpperCase())).set('Idempotency-Key', `${key}2`);
    await answerOf(wide.call('delete', `/v1/domains/${domain.id}/records/${world.challenge.id}`));
    const first = await answerOf(own(scoped));
    expect((await answerOf(own(scoped))).body).toEqual(first.body);
  });

  it.each([
    ['networks without it', ['192.0.2.0/24', '2001:db8::/32', '::/1'], 401],
    ['its address', ['127.0.0.1'], 200],
    ['a network with it', ['192.0.2.0/24', '127.0.0.0/8'], 200],
    ['all of IPv4', ['0.0.0.0/0'], 200],
    ['all of IPv6', ['::/0'], 401],
  ])('14.2 a token is good where its networks are: %s', async (_, networks, status) => {
    const token = await service.newToken({ restrictions: { networks } });
    expectStatus(await token.call('get', '/v1/domains'), status);
    expectStatus(await token.call('get', '/v2/zones'), status);
    // Headers by which a token names itself have no effect.
    expectStatus(await token.call('get', '/v1/domains').set('X-Forwarded-For', '192.0.2.1'), status);
  });

  it('14.2 a token that only names networks may do everything there', async () => {
    const token = await service.newToken({ restrictions: { networks: ['127.0.0.0/8'] } });
    await newDomain(token);
    expectStatus(await token.call('post', `/v2/zones/${world.domain.id}/tasks/export`), 202);
  });
});

function refusalIn(route: string) {
  return route.includes(' /v2') ? { status: 403, type: 'forbidden' } : { status: 401, type: 'access_denied' };
}

function withoutId({ status, body }: Response) {
  return { status, body: { ...body, request_id: '' } as unknown };
}
