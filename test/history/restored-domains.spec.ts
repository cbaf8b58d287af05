import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { DomainBody, HistoryBody } from '../support/bodies.js';
import { domainOf, freshName, newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';

let service: TokenService;
let member: TokenClient;

beforeAll(async () => {
  service = await startTokenService({
    SERVICE_API__ENABLE_API_ADMIN: 'True',
    SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas',
    DEFAULT__QUOTA_ZONE_RECORDS: '20000',
    DEFAULT__QUOTA_ZONE_RECORDSETS: '20000',
    DEFAULT__QUOTA_API_EXPORT_SIZE: '20000',
  });
  member = await service.newToken();
});
afterAll(() => service.stop());
afterEach(() => audit(service.databaseFile));

const remove = ({ id }: { readonly id: string }, client = member) =>
  answerOf(client.call('delete', `/v1/domains/${id}`));
const restore = ({ id }: { readonly id: string }, client = member, body?: object) =>
  client.call('post', `/v1/deleted-domains/${id}/restore`, body);
const restored = async (zone: TestDomain): Promise<TestDomain> =>
  domainOf(member, await bodyOf<DomainBody>(restore(zone)));
/** Records without ids and times. */
const contents = async (zone: TestDomain) =>
  (await zone.records())
    .map(({ name, type, data, priority, ttl, description }) => ({ name, type, data, priority, ttl, description }))
    .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

describe('11.7 restoring a deleted domain', () => {
  it('11.7 has its fields and the records that it had at the end', async () => {
    const zone = await newDomain(member, `Mixed.${freshName()}`);
    await answerOf(member.call('put', `/v1/domains/${zone.id}`, { ttl: 7200, description: 'ours' }));
    const [kept, gone] = [await zone.newRecord({ ttl: 300 }), await zone.newRecord({ name: zone.at('gone') })];
    await zone.newRecord({ type: 'MX', name: zone.name, data: 'mail.example.org.', priority: 10 });
    await answerOf(zone.update(kept.id, { data: '192.0.2.77', description: 'the web' }));
    await answerOf(zone.delete(gone.id));
    const [before, { serial }] = [await contents(zone), await zone.now()];
    await remove(zone);
    const again = await restored(zone);
    expect(again).toMatchObject({ name: zone.name, email: zone.email, ttl: 7200, description: 'ours' });
    expect(again.id).not.toBe(zone.id);
    expect(again.serial).toBeGreaterThan(serial);
    expect(await contents(again)).toEqual(before);
    const { changes } = await bodyOf<{ changes: readonly object[] }>(
      member.call('get', `/v1/domains/${again.id}/changes`),
    );
    expect(changes).toMatchObject([
      { records: { created: 2, updated: 0, deleted: 0 }, domain_actions: ['domain.create'] },
    ]);
  });

  it('11.7 answers like a creation, has a message and accepts an Idempotency-Key', async () => {
    const zone = await newDomain(member);
    await zone.newRecord();
    await remove(zone);
    const send = () => restore(zone, member, { message: 'by mistake' }).set('Idempotency-Key', zone.id);
    const first = await answerOf(send());
    const { id } = first.body as DomainBody;
    expect(first.headers.location).toMatch(new RegExp(`/v1/domains/${id}$`));
    expect(first.headers.etag).toBe((await answerOf(member.call('get', `/v1/domains/${id}`))).headers.etag);
    expect((await answerOf(send())).body).toEqual(first.body);
    const { history } = await bodyOf<HistoryBody>(member.call('get', `/v1/domains/${id}/history`));
    expect(history.at(-1)).toMatchObject({ action: 'domain.create', message: 'by mistake' });
    await refusalOf(restore(zone), 409, 'duplicate_domain');
  });

  it('11.7 may be deleted and restored again, and both stay in the list', async () => {
    const zone = await newDomain(member);
    await zone.newRecord();
    const before = await contents(zone);
    await remove(zone);
    const second = await restored(zone);
    await remove(second);
    expect(await contents(await restored(second))).toEqual(before);
    const { deleted_domains } = await bodyOf<{ deleted_domains: readonly { id: string }[] }>(
      member.call('get', '/v1/deleted-domains?limit=1000'),
    );
    expect(deleted_domains.map(({ id }) => id)).toEqual(expect.arrayContaining([zone.id, second.id]));
  });

  it('11.7 restores many records completely', async () => {
    const zone = await newDomain(member);
    const count = 6000;
    await zone.import(Array.from({ length: count }, (_, at) => `h${at} 60 A 192.0.2.1\n`).join(''));
    await remove(zone);
    const again = await restored(zone);
    expect((await again.export()).match(/ A 192\.0\.2\.1|\tA\t192\.0\.2\.1/g)).toHaveLength(count);
  });

  it('11.7 keeps to the quotas of today', async () => {
    const owner = await service.newToken({ tenantId: 'bounded' });
    const zone = await newDomain(owner);
    await zone.import('a A 192.0.2.1\nb A 192.0.2.2\nc A 192.0.2.3\n');
    await remove(zone, owner);
    const admin = await service.newToken({ tenantId: 'operators', roles: ['admin'] });
    const quota = (zone_records: number) =>
      answerOf(admin.call('patch', '/admin/quotas/bounded', { quota: { zone_records } }));
    await quota(2);
    await refusalOf(restore(zone, owner), 413, 'over_quota');
    expect((await bodyOf<{ domains: unknown[] }>(owner.call('get', '/v1/domains'))).domains).toEqual([]);
    await quota(3);
    const { name } = await bodyOf<DomainBody>(restore(zone, owner));
    expect(name).toBe(zone.name);
  });

  it('11.7 is refused with each record that is no longer valid', async () => {
    const zone = await newDomain(member);
    await zone.newRecord({ name: zone.at('fine') });
    await zone.newRecord({ name: zone.at('x.below') });
    await zone.newRecord({ name: zone.at('y.below') });
    await remove(zone);
    const below = await newDomain(member, zone.at('below'));
    const { errors = [] } = await refusalOf(restore(zone), 400, 'invalid_recordset_location');
    expect(errors.map(({ path }) => path.replace(/\..*/, ''))).toEqual(['records[1]', 'records[2]']);
    expect(errors[0]!.message).toContain(zone.at('x.below'));
    await remove(below);
    await answerOf(restore(zone));
  });

  it('11.7 is limited to its owner, and to deleted domains', async () => {
    const zone = await newDomain(member);
    const other = await service.newToken({ tenantId: 'other' });
    const reader = await service.newToken({ roles: ['reader'] });
    await refusalOf(restore(zone), 404, 'domain_not_found');
    await remove(zone);
    await refusalOf(restore(zone, other), 404, 'domain_not_found');
    await refusalOf(restore(zone, reader), 401, 'access_denied');
    const { token } = await bodyOf<{ token: string }>(
      member.call('post', '/v1/tokens', { domains: ['elsewhere.example.'] }),
    );
    await refusalOf(restore(zone, service.holding(token)), 404, 'domain_not_found');
    await refusalOf(restore(zone, member, { message: 5 }), 400, 'invalid_object');
    await refusalOf(restore(zone, member, { name: 'x.' }), 400, 'invalid_object');
    for (const id of ['x', '01900000-0000-7000-8000-000000000000'])
      await refusalOf(restore({ id }), 404, 'domain_not_found');
    const admin = await service.newToken({ tenantId: 'operators', roles: ['admin'] });
    await answerOf(restore(zone, admin).set('X-Auth-Sudo-Tenant-ID', 'acme'));
  });
});
