import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SigningContext } from '../../src/dnssec/signing-context.js';
import { bodyOf, expectStatus, refusalOf } from '../support/answers.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { until } from '../support/until.js';
import { v2RefusalOf } from '../support/v2.js';

let service: TokenService;
let owner: TokenClient;
let stranger: TokenClient;

beforeAll(async () => {
  service = await startTokenService({
    SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
    ...DNSSEC_ON,
  });
  owner = await service.newToken({ tenantId: 'owner' });
  stranger = await service.newToken({ tenantId: 'stranger' });
});
afterAll(() => service.stop());

interface Dnssec {
  readonly state: string;
  readonly waits_for: string | null;
  readonly waits_on: string | null;
  readonly waits_until: string | null;
  readonly keys: readonly { readonly tag: number }[];
}

const ofDomain = ({ id }: TestDomain, rest = ''): string => `/v1/domains/${id}/dnssec${rest}`;
const ofZone = ({ id }: TestDomain, rest = ''): string => `/v2/zones/${id}/dnssec${rest}`;

describe('lists', () => {
  it('7.6, 23.2: say with details=true how far each domain is signed', async () => {
    const [signed, halted, unsigned] = [await newDomain(owner), await newDomain(owner), await newDomain(owner)];
    for (const domain of [signed, halted]) await bodyOf(owner.call('put', ofDomain(domain), { enabled: true }));
    await until(async () => (await stateOf(signed)) === 'proving' && (await stateOf(halted)) === 'proving');
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    await service.running.application.app.get(SigningContext, { strict: false }).halt(halted.id, 'of this test');
    logged.mockRestore();
    const states = await Promise.all([signed, halted, unsigned].map(stateOf));
    expect(states).toEqual(['proving', 'halted', 'insecure']);
    const { domains } = await bodyOf<Listed>(owner.call('get', `/v1/domains?name=${signed.name}`));
    expect(domains).toEqual([expect.not.objectContaining({ dnssec: expect.anything() })]);
  });

  it('13.3, 23.2: of version 2 say it of each zone', async () => {
    const [signed, unsigned] = [await newDomain(owner), await newDomain(owner)];
    await bodyOf(owner.call('put', ofZone(signed), { enabled: true }));
    const states = async (): Promise<(string | undefined)[]> => {
      const found = [signed, unsigned].map(async ({ name }) => {
        const { zones } = await bodyOf<{ zones: Shown[] }>(owner.call('get', `/v2/zones?name=${name}`));
        return zones[0]?.dnssec;
      });
      return Promise.all(found);
    };
    await until(async () => (await states())[0] === 'proving');
    expect(await states()).toEqual(['proving', 'insecure']);
    expect(await bodyOf(owner.call('get', `/v2/zones/${signed.id}`))).toMatchObject({ dnssec: 'proving' });
    const changed = await bodyOf(owner.call('patch', `/v2/zones/${signed.id}`, { ttl: 300 }), 202);
    expect(changed).not.toHaveProperty('dnssec');
  });

  interface Shown {
    readonly dnssec?: string;
  }

  interface Listed {
    readonly domains: readonly { readonly dnssec?: string }[];
  }

  async function stateOf({ name }: TestDomain): Promise<string | undefined> {
    const { domains } = await bodyOf<Listed>(owner.call('get', `/v1/domains?name=${name}&details=true`));
    return domains[0]?.dnssec;
  }
});

describe('the condition that a domain waits for', () => {
  it('23.14: has an event, and the time when caches have expired unsigned answers', async () => {
    const domain = await newDomain(owner);
    const shown = (): Promise<Dnssec> => bodyOf<Dnssec>(owner.call('get', ofDomain(domain)));
    const nothing = { waits_for: null, waits_on: null, waits_until: null };
    expect(await shown()).toMatchObject(nothing);
    await bodyOf(owner.call('put', ofDomain(domain), { enabled: true }));
    await until(async () => (await shown()).waits_on === 'caches');
    const { waits_for: text, waits_until: time } = await shown();
    expect(text).toBe(`caches may have answers without signatures until ${time}`);
    expect(Date.parse(`${time}Z`)).toBeGreaterThan(Date.now());
    expect(await bodyOf(owner.call('put', ofDomain(domain), { ...(await shown()) }))).toMatchObject({
      waits_until: time,
    });
    const altered = { enabled: true, waits_on: 7, waits_until: 'never' };
    expect(await bodyOf(owner.call('put', ofDomain(domain), altered))).toMatchObject({ waits_until: time });
    await bodyOf(owner.call('put', ofDomain(domain), { enabled: false }));
    expect(await shown()).toMatchObject(nothing);
  });
});

describe('version 2', () => {
  it('23.1: signs a zone, and shows the fields of version 1', async () => {
    const domain = await newDomain(owner);
    expect(await bodyOf(owner.call('get', ofZone(domain)))).toMatchObject({ enabled: false, state: 'insecure' });
    const asked = { enabled: true, algorithm: 'ED25519', denial: 'nsec3', single_key: false };
    expect(await bodyOf(owner.call('put', ofZone(domain), asked))).toMatchObject(asked);
    await until(async () => (await bodyOf<Dnssec>(owner.call('get', ofZone(domain)))).state === 'proving');
    const shown = await bodyOf<Dnssec>(owner.call('get', ofZone(domain)));
    expect(shown.keys).toHaveLength(2);
    expect(await bodyOf(owner.call('get', ofDomain(domain)))).toEqual(shown);
    await bodyOf(owner.call('post', ofZone(domain, '/resign')));
    expect(await bodyOf(owner.call('put', ofZone(domain), { enabled: false }))).toMatchObject({ state: 'insecure' });
  });

  it('23.1, 23.3, 23.9: refuses in its own form', async () => {
    const domain = await newDomain(owner);
    await v2RefusalOf(owner.call('post', ofZone(domain, '/resign')), 409, 'dnssec_conflict');
    await v2RefusalOf(owner.call('put', ofZone(domain), { enabled: 'yes' }), 400, 'invalid_object');
    await v2RefusalOf(owner.call('put', ofZone(domain), {}), 400, 'invalid_object');
    await v2RefusalOf(owner.call('get', ofZone({ ...domain, id: 'none' } as TestDomain)), 400, 'invalid_uuid');
    await bodyOf(owner.call('put', ofZone(domain), { enabled: true }));
    const other = { enabled: true, algorithm: 'RSASHA256' };
    await v2RefusalOf(owner.call('put', ofZone(domain), other), 409, 'dnssec_conflict');
    await v2RefusalOf(owner.call('post', ofZone(domain, '/parent'), { ds: 'published' }), 409, 'dnssec_conflict');
    await v2RefusalOf(owner.call('post', ofZone(domain, '/rollovers'), { key: 'csk' }), 409, 'dnssec_conflict');
    const unknown = ofZone(domain, `/rollovers/${randomUUID()}`);
    await v2RefusalOf(owner.call('delete', unknown), 409, 'dnssec_conflict');
    const set = { name: domain.name, type: 'CDS', records: ['0 0 0 00'] };
    await v2RefusalOf(owner.call('post', `/v2/zones/${domain.id}/recordsets`, set), 409, 'dnssec_conflict');
  });
});

describe('keys of a deleted domain', () => {
  async function signed(client: TokenClient, name?: string): Promise<{ domain: TestDomain; tags: readonly number[] }> {
    const domain = await newDomain(client, name);
    const { keys } = await bodyOf<Dnssec>(client.call('put', ofDomain(domain), { enabled: true }));
    return { domain, tags: keys.map(({ tag }) => tag) };
  }

  async function remove(client: TokenClient, { id }: TestDomain): Promise<void> {
    expectStatus(await client.call('delete', `/v1/domains/${id}`), 200);
  }

  async function handOn({ id }: TestDomain, from: TokenClient, to: TokenClient): Promise<void> {
    const offer = await bodyOf<{ id: string; key: string }>(
      from.call('post', `/v2/zones/${id}/tasks/transfer_requests`),
      201,
    );
    const accept = { zone_transfer_request_id: offer.id, key: offer.key };
    await bodyOf(to.call('post', '/v2/zones/tasks/transfer_accepts', accept), 201);
  }

  it('23.7: are not reused when another tenant creates the domain', async () => {
    const { domain, tags } = await signed(owner);
    await remove(owner, domain);
    const others = await signed(stranger, domain.name);
    expect(others.tags).not.toEqual(tags);
    await remove(stranger, others.domain);
    expect((await signed(owner, domain.name)).tags).toEqual(tags);
  });

  it('23.7: are reused for its last owner after a transfer', async () => {
    const { domain, tags } = await signed(owner);
    await handOn(domain, owner, stranger);
    expect(await bodyOf(stranger.call('get', ofDomain(domain)))).toMatchObject({ keys: [{ tag: tags[0] }] });
    await remove(stranger, domain);
    const former = await signed(owner, domain.name);
    expect(former.tags).not.toEqual(tags);
    await remove(owner, former.domain);
    expect((await signed(stranger, domain.name)).tags).toEqual(tags);
  });
});

describe('permissions', () => {
  it('23.1: another tenant finds no such domain', async () => {
    const domain = await newDomain(owner);
    for (const [method, path, body] of [
      ['get', '', undefined],
      ['put', '', { enabled: true }],
      ['post', '/resign', {}],
      ['post', '/parent', { ds: 'removed' }],
      ['post', '/rollovers', { key: 'csk' }],
    ] as const) {
      expectStatus(await stranger.call(method, ofDomain(domain, path), body), 404);
      expectStatus(await stranger.call(method, ofZone(domain, path), body), 404);
    }
  });

  it('14.2, 23.1: a token that is limited to some work reads how its domain is signed, and changes nothing of it', async () => {
    const domain = await newDomain(owner);
    await bodyOf(owner.call('put', ofDomain(domain), { enabled: true }));
    for (const limits of [
      { domains: [domain.name] },
      { types: ['TXT'] },
      { actions: ['create', 'update', 'delete'] },
    ]) {
      const { token } = await bodyOf<{ token: string }>(owner.call('post', '/v1/tokens', limits));
      const scoped = service.holding(token);
      expect(await bodyOf(scoped.call('get', ofDomain(domain)))).toMatchObject({ enabled: true });
      for (const [method, path, body] of [
        ['put', '', { enabled: false }],
        ['post', '/resign', {}],
        ['post', '/parent', { ds: 'removed' }],
        ['post', '/rollovers', { key: 'csk' }],
      ] as const) {
        await refusalOf(scoped.call(method, ofDomain(domain, path), body), 401, 'access_denied');
        await v2RefusalOf(scoped.call(method, ofZone(domain, path), body), 403, 'forbidden');
      }
    }
    const reader = await service.newToken({ tenantId: 'owner', roles: ['reader'] });
    expectStatus(await reader.call('put', ofDomain(domain), { enabled: false }), 401);
    expect(await bodyOf(owner.call('get', ofDomain(domain)))).toMatchObject({ enabled: true });
  });
});
