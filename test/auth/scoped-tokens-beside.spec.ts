import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit, contentsOf } from '../support/audit.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { freePort } from '../support/name-servers/name-servers.js';
import type { Client } from '../support/service.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { v2RefusalOf, type ZoneBody } from '../support/v2.js';

interface SetBody {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

const ACME = { names: ['_acme-challenge.*'], types: ['TXT'], actions: ['create', 'delete'] };
const MASTERS = ['192.0.2.53:53'];

let service: TokenService;
let owner: TokenClient;
let guest: TokenClient;

beforeAll(async () => {
  service = await startTokenService({
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: `127.0.0.1:${await freePort()}`,
    SERVICE_MDNS__ALLOW_MASTERS: '192.0.2.0/24',
    SERVICE_CENTRAL__NAME_SERVERS: 'ns1.provider.example.',
  });
  owner = await service.newToken({ tenantId: 'owner' });
  guest = await service.newToken({ tenantId: 'guest' });
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

function pathOf(zone: TestDomain, rest = ''): string {
  return `/v2/zones/${zone.id}${rest}`;
}

function put(client: Client, zone: TestDomain, label: string, type = 'TXT') {
  const records = [type === 'TXT' ? '"x"' : '192.0.2.1'];
  return client.call('post', pathOf(zone, '/recordsets'), { name: zone.at(label), type, records });
}

function newSet(client: Client, zone: TestDomain, label: string, type = 'TXT'): Promise<SetBody> {
  return bodyOf<SetBody>(put(client, zone, label, type), 202);
}

async function namesOf(client: Client, path: string): Promise<string[]> {
  const body = await bodyOf<Record<string, SetBody[]>>(client.call('get', path));
  return (body.recordsets ?? body.zones ?? []).map(({ name }) => name);
}

describe('13.10, 14.2 scoped tokens of a project that zones are shared with', () => {
  let shared: TestDomain;
  let other: TestDomain;
  let own: SetBody;
  let elsewhere: SetBody;
  let shareOfOther: string;

  beforeEach(async () => {
    shared = await newDomain(owner);
    other = await newDomain(owner);
    const shares: string[] = [];
    for (const zone of [shared, other]) {
      const made = owner.call('post', pathOf(zone, '/shares'), { target_project_id: 'guest' });
      shares.push((await bodyOf<{ id: string }>(made, 201)).id);
    }
    shareOfOther = shares[1]!;
    own = await newSet(guest, shared, '_acme-challenge');
    elsewhere = await newSet(guest, other, '_acme-challenge');
    await newSet(owner, shared, 'owners', 'A');
  });

  const limitedTo = (restrictions: object) => service.newToken({ tenantId: 'guest', restrictions });

  it('13.10, 14.2 see the shared zones in their scope, and in these the record sets of the project', async () => {
    const token = await limitedTo({ domains: [shared.name] });
    expect(await bodyOf(token.call('get', pathOf(shared)))).toMatchObject({ id: shared.id, shared: true });
    expect(await namesOf(token, '/v2/zones?limit=max')).toEqual([shared.name]);
    expect(await namesOf(token, pathOf(shared, '/recordsets'))).toEqual([own.name]);
    expect(await namesOf(token, '/v2/recordsets?limit=max')).toEqual([own.name]);
    await answerOf(token.call('get', pathOf(shared, `/recordsets/${own.id}`)));
    await answerOf(token.call('get', `/v2/recordsets/${own.id}`), 301);
    expect((await token.call('get', `/v1/domains/${shared.id}`)).status).toBe(404);
  });

  it('13.10, 14.2 see nothing of other zones that are shared with the project', async () => {
    const token = await limitedTo({ domains: [shared.name, freshName()] });
    for (const path of ['', '/recordsets', '/nameservers', '/shares', `/shares/${shareOfOther}`])
      await v2RefusalOf(token.call('get', pathOf(other, path)), 404, 'zone_not_found');
    await v2RefusalOf(token.call('get', pathOf(other, `/recordsets/${elsewhere.id}`)), 404, 'zone_not_found');
    await v2RefusalOf(token.call('get', `/v2/recordsets/${elsewhere.id}`), 404, 'recordset_not_found');
    expect(await namesOf(token, `/v2/zones?name=${other.name}`)).toEqual([]);
    expect(await namesOf(token, `/v2/recordsets?name=${elsewhere.name}`)).toEqual([]);
    const marker = `/v2/recordsets?marker=${elsewhere.id}`;
    await v2RefusalOf(token.call('get', marker), 400, 'marker_not_found');
  });

  it('13.10, 14.2 change nothing of them either', async () => {
    const token = await limitedTo({ domains: [shared.name] });
    const before = contentsOf(service.databaseFile);
    const set = pathOf(other, `/recordsets/${elsewhere.id}`);
    await v2RefusalOf(put(token, other, 'new'), 404, 'zone_not_found');
    await v2RefusalOf(token.call('put', set, { records: ['"y"'] }), 404, 'zone_not_found');
    await v2RefusalOf(token.call('delete', set), 404, 'zone_not_found');
    await v2RefusalOf(token.call('patch', pathOf(other), { ttl: 77 }), 404, 'zone_not_found');
    await v2RefusalOf(token.call('delete', pathOf(other)), 404, 'zone_not_found');
    await v2RefusalOf(token.call('delete', pathOf(other, `/shares/${shareOfOther}`)), 404, 'zone_not_found');
    const target = { target_project_id: 'third' };
    await v2RefusalOf(token.call('post', pathOf(other, '/shares'), target), 404, 'zone_not_found');
    await v2RefusalOf(token.call('patch', pathOf(shared), { ttl: 77 }), 403, 'forbidden');
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });

  it('13.10, 14.2 (attack case 52) write only within their scope to shared zones', async () => {
    const token = await limitedTo({ domains: [shared.name], ...ACME });
    const www = await newSet(guest, shared, 'www', 'A');
    const before = contentsOf(service.databaseFile);
    await v2RefusalOf(put(token, shared, 'ftp'), 403, 'forbidden');
    await v2RefusalOf(put(token, shared, '_acme-challenge.ftp', 'A'), 403, 'forbidden');
    const pathOfWww = pathOf(shared, `/recordsets/${www.id}`);
    await v2RefusalOf(token.call('put', pathOfWww, { records: ['192.0.2.9'] }), 403, 'forbidden');
    await v2RefusalOf(token.call('delete', pathOfWww), 403, 'forbidden');
    const pathOfOwn = pathOf(shared, `/recordsets/${own.id}`);
    await v2RefusalOf(token.call('put', pathOfOwn, { ttl: 77 }), 403, 'forbidden');
    expect(contentsOf(service.databaseFile)).toEqual(before);
    await newSet(token, shared, '_acme-challenge.www');
    await answerOf(token.call('put', pathOfOwn, { records: ['"x"', '"y"'] }), 202);
    await answerOf(token.call('delete', pathOfOwn), 202);
  });

  it('13.10, 14.2 without names of domains are for all that are shared', async () => {
    const token = await limitedTo({ types: ['TXT'] });
    expect(await namesOf(token, '/v2/zones?limit=max')).toEqual(expect.arrayContaining([shared.name, other.name]));
    await newSet(token, other, 'text');
    await v2RefusalOf(put(token, other, 'address', 'A'), 403, 'forbidden');
  });

  it('13.10, 14.2 of the owner see and change record sets of other projects in its zones', async () => {
    const token = await service.newToken({ tenantId: 'owner', restrictions: { domains: [shared.name] } });
    expect(await namesOf(token, pathOf(shared, '/recordsets'))).toContain(own.name);
    expect(await namesOf(token, '/v2/recordsets?limit=max')).toContain(own.name);
    expect(await namesOf(token, '/v2/recordsets?limit=max')).not.toContain(elsewhere.name);
    await answerOf(token.call('delete', pathOf(shared, `/recordsets/${own.id}`)), 202);
    await v2RefusalOf(token.call('get', `/v2/recordsets/${elsewhere.id}`), 404, 'recordset_not_found');
    await v2RefusalOf(token.call('delete', pathOf(other, `/recordsets/${elsewhere.id}`)), 404, 'zone_not_found');
    const target = { target_project_id: 'third' };
    await v2RefusalOf(token.call('post', pathOf(shared, '/shares'), target), 403, 'forbidden');
  });
});

describe('13.9, 14.2 scoped tokens and offers of zones', () => {
  it('13.9, 14.2 neither see nor accept transfers offered to their project, nor cancel its own offers', async () => {
    const zone = await newDomain(owner);
    const offer = owner.call('post', pathOf(zone, '/tasks/transfer_requests'), { target_project_id: 'guest' });
    const { id, key } = await bodyOf<{ id: string; key: string }>(offer, 201);
    const path = `/v2/zones/tasks/transfer_requests/${id}`;
    const body = { zone_transfer_request_id: id, key };
    for (const tenantId of ['owner', 'guest']) {
      const token = await service.newToken({ tenantId, restrictions: { domains: [zone.name] } });
      await v2RefusalOf(token.call('get', path), 404, 'zone_transfer_request_not_found');
      await v2RefusalOf(token.call('patch', path, { description: 'x' }), 403, 'forbidden');
      await v2RefusalOf(token.call('delete', path), 404, 'zone_transfer_request_not_found');
      await v2RefusalOf(token.call('post', '/v2/zones/tasks/transfer_accepts', body), 403, 'forbidden');
    }
    const accept = await bodyOf<{ id: string }>(guest.call('post', '/v2/zones/tasks/transfer_accepts', body), 201);
    const token = await service.newToken({ tenantId: 'guest', restrictions: { domains: [zone.name] } });
    const accepts = '/v2/zones/tasks/transfer_accepts';
    await v2RefusalOf(token.call('get', `${accepts}/${accept.id}`), 404, 'zone_transfer_accept_not_found');
    expect(await bodyOf<ZoneBody>(token.call('get', pathOf(zone)))).toMatchObject({ id: zone.id });
  });
});

describe('13.11, 14.2 scoped tokens and secondary zones', () => {
  const secondary = { type: 'SECONDARY', masters: MASTERS };
  const tokenFor = (name: string, actions?: string[]) =>
    service.newToken({ tenantId: 'owner', restrictions: { domains: [name], ...(actions && { actions }) } });

  it('13.11, 14.2 name masters where they have all actions, because masters decide about all records', async () => {
    const name = freshName();
    const body = { name, ...secondary };
    for (const actions of [['create'], ['create', 'update'], ['create', 'delete']])
      await v2RefusalOf((await tokenFor(name, actions)).call('post', '/v2/zones', body), 403, 'forbidden');
    const zone = await bodyOf<ZoneBody>((await tokenFor(name)).call('post', '/v2/zones', body), 202);
    const path = `/v2/zones/${zone.id}`;
    const updating = await tokenFor(name, ['update']);
    await v2RefusalOf(updating.call('patch', path, { masters: ['192.0.2.54:53'] }), 403, 'forbidden');
    await answerOf(updating.call('patch', path, { description: 'x', masters: MASTERS }), 202);
    await answerOf((await tokenFor(name)).call('patch', path, { masters: ['192.0.2.54:53'] }), 202);
  });

  it('13.11, 14.2 have no masters asked, and see other zones no more than primary ones', async () => {
    const name = freshName();
    const zone = await bodyOf<ZoneBody>(owner.call('post', '/v2/zones', { name, ...secondary }), 202);
    await v2RefusalOf((await tokenFor(name)).call('post', `/v2/zones/${zone.id}/tasks/xfr`), 403, 'forbidden');
    const stranger = await tokenFor(freshName());
    await v2RefusalOf(stranger.call('get', `/v2/zones/${zone.id}`), 404, 'zone_not_found');
    await v2RefusalOf(stranger.call('post', `/v2/zones/${zone.id}/tasks/xfr`), 404, 'zone_not_found');
    await v2RefusalOf(stranger.call('patch', `/v2/zones/${zone.id}`, { masters: MASTERS }), 404, 'zone_not_found');
  });
});
