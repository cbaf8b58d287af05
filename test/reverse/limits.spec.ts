import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyOf, expectStatus, refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { ListedBody } from '../support/bodies.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';

let service: TokenService;
let owner: TokenClient;
let reverse: TestDomain;
let domain: TestDomain;
beforeAll(async () => {
  service = await startTokenService();
  owner = await service.newToken();
  reverse = await newDomain(owner, '2.0.192.in-addr.arpa.');
  domain = await newDomain(owner);
  expectStatus(await owner.call('put', `/v1/domains/${domain.id}`, { labels: { reverse: 'true' } }), 200);
});
afterAll(() => service.stop());
afterEach(() => audit(service.databaseFile));

const pointers = async (): Promise<string[]> =>
  (await bodyOf<{ records: ListedBody[] }>(reverse.list('?type=PTR'))).records.map(({ name }) => name);

describe('26.5 a limited token', () => {
  it('26.5 changes PTR records by addresses, and no others', async () => {
    const limited = await service.newToken({ restrictions: { domains: [domain.name], types: ['A'] } });
    const seen = domainOf(limited, domain);
    const { id } = await seen.newRecord({ data: '192.0.2.5' });
    expect(await pointers()).toEqual([reverse.at('5')]);
    expectStatus(await seen.delete(id), 200);
    expect(await pointers()).toEqual([]);
    await refusalOf(domainOf(limited, reverse).list(), 404, 'domain_not_found');
  });

  it('26.7 may not create the missing ones', async () => {
    const limited = await service.newToken({ restrictions: { domains: [domain.name] } });
    const path = `/v1/domains/${domain.id}/reverse`;
    await refusalOf(limited.call('post', path), 401, 'access_denied');
    const stranger = await service.newToken({ tenantId: 'other' });
    await refusalOf(stranger.call('post', path), 404, 'domain_not_found');
    await refusalOf(stranger.call('post', `${path}?dry_run=true`), 404, 'domain_not_found');
  });
});

it('26.1 the history of the reverse domain names the request that changed the address', async () => {
  const made = await domain.create({ name: domain.at('www'), type: 'A', data: '192.0.2.6' });
  expectStatus(made, 200);
  const { history } = await bodyOf<{ history: { action: string; request_id: string }[] }>(
    owner.call('get', `/v1/domains/${reverse.id}/history?limit=1`),
  );
  expect(history).toMatchObject([{ action: 'record.create', request_id: made.get('X-Openstack-Request-Id') }]);
});
