import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, TIMESTAMP, UUID } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { domainOf, freshName, newDomain, type TestDomain } from '../support/domain.js';
import { type Client, startTestService, type TestService } from '../support/service.js';
import { v2RefusalOf, type ZoneBody } from '../support/v2.js';

interface ShareBody {
  readonly id: string;
  readonly target_project_id: string;
}

interface SetBody {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly records: readonly string[];
  readonly project_id: string;
}

const NOBODY = '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4';

let service: TestService;
let owner: Client;
let guest: Client;
let stranger: Client;

beforeAll(async () => {
  service = await startTestService();
  [owner, guest, stranger] = [service.as('owner'), service.as('guest'), service.as('stranger')];
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

function share(zone: TestDomain, target: unknown = 'guest', client = owner) {
  return client.call('post', `/v2/zones/${zone.id}/shares`, { target_project_id: target });
}

async function sharedZone(target = 'guest'): Promise<TestDomain> {
  const zone = await newDomain(owner);
  await answerOf(share(zone, target), 201);
  return zone;
}

function pathOf(zone: TestDomain, rest = ''): string {
  return `/v2/zones/${zone.id}${rest}`;
}

function put(zone: TestDomain, label: string, client = guest) {
  const set = { name: zone.at(label), type: 'A', records: ['192.0.2.1'] };
  return client.call('post', pathOf(zone, '/recordsets'), set);
}

function newSet(zone: TestDomain, label: string, client = guest): Promise<SetBody> {
  return bodyOf<SetBody>(put(zone, label, client), 202);
}

async function setsIn(path: string, client: Client): Promise<string[]> {
  const { recordsets } = await bodyOf<{ recordsets: SetBody[] }>(client.call('get', path));
  return recordsets.map(({ name, type }) => `${name} ${type}`);
}

describe('13.10 shares', () => {
  it('13.10 are made by the owner of the zone, which says that it is shared', async () => {
    const zone = await newDomain(owner);
    expect(await bodyOf<ZoneBody>(owner.call('get', pathOf(zone)))).toMatchObject({ shared: false });
    const made = await bodyOf<ShareBody>(share(zone), 201);
    const self = `${service.url}${pathOf(zone, '/shares')}/${made.id}`;
    expect(made).toEqual({
      id: expect.stringMatching(UUID),
      zone_id: zone.id,
      project_id: 'owner',
      target_project_id: 'guest',
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: null,
      links: { self, zone: `${service.url}${pathOf(zone)}` },
    });
    expect(await bodyOf(owner.call('get', pathOf(zone, `/shares/${made.id}`)))).toEqual(made);
    expect(await bodyOf<ZoneBody>(owner.call('get', pathOf(zone)))).toMatchObject({ shared: true });
    const patched = owner.call('patch', pathOf(zone), { description: 'x' });
    expect(await bodyOf<ZoneBody>(patched, 202)).toMatchObject({ shared: true });
  });

  it('13.10 exist once for a project, and not for the owner', async () => {
    const zone = await sharedZone();
    await v2RefusalOf(share(zone), 409, 'duplicate_shared_zone');
    await v2RefusalOf(share(zone, 'owner'), 400, 'bad_request');
    await answerOf(share(zone, 'another'), 201);
    const raced = await newDomain(owner);
    const answers = await Promise.all(Array.from({ length: 6 }, () => share(raced)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(5).fill(409)]);
  });

  it.each<[unknown]>([[{}], [{ target_project_id: null }], [{ target_project_id: '' }], [{ target_project_id: 1 }]])(
    '13.10 the body %j is refused',
    async (body) => {
      const zone = await newDomain(owner);
      await v2RefusalOf(owner.call('post', pathOf(zone, '/shares'), body), 400, 'invalid_object');
    },
  );

  it('13.10 are listed to the owner, and to each project its own', async () => {
    const zone = await sharedZone();
    await answerOf(share(zone, 'another'), 201);
    const targets = async (client: Client, query = '') => {
      const path = pathOf(zone, `/shares${query}`);
      const { shared_zones: shares } = await bodyOf<{ shared_zones: ShareBody[] }>(client.call('get', path));
      return shares.map(({ target_project_id: target }) => target);
    };
    expect(await targets(owner)).toEqual(['guest', 'another']);
    expect(await targets(owner, '?target_project_id=another')).toEqual(['another']);
    expect(await targets(owner, '?limit=1')).toEqual(['guest']);
    expect(await targets(guest)).toEqual(['guest']);
    await v2RefusalOf(stranger.call('get', pathOf(zone, '/shares')), 404, 'zone_not_found');
    await v2RefusalOf(owner.call('get', `/v2/zones/${NOBODY}/shares`), 404, 'zone_not_found');
    await v2RefusalOf(owner.call('get', pathOf(zone, '/shares?name=x')), 400, 'bad_request');
    await v2RefusalOf(owner.call('get', pathOf(zone, `/shares/${NOBODY}`)), 404, 'shared_zone_not_found');
    await v2RefusalOf(owner.call('get', pathOf(zone, '/shares/x')), 400, 'invalid_uuid');
  });

  it('13.10 end when the other project has no record sets in the zone any more', async () => {
    const zone = await newDomain(owner);
    const { id } = await bodyOf<ShareBody>(share(zone), 201);
    const end = (client = owner) => client.call('delete', pathOf(zone, `/shares/${id}`));
    const set = await newSet(zone, 'www');
    await v2RefusalOf(end(), 400, 'shared_zone_has_recordsets');
    await v2RefusalOf(end(guest), 403, 'forbidden');
    await v2RefusalOf(end(stranger), 404, 'zone_not_found');
    await answerOf(guest.call('delete', pathOf(zone, `/recordsets/${set.id}`)), 202);
    await answerOf(end(), 204);
    await v2RefusalOf(end(), 404, 'shared_zone_not_found');
    await v2RefusalOf(guest.call('get', pathOf(zone)), 404, 'zone_not_found');
    await v2RefusalOf(put(zone, 'www'), 404, 'zone_not_found');
  });

  it('13.10 a shared zone is deleted only together with its shares', async () => {
    const zone = await sharedZone();
    await newSet(zone, 'www');
    await v2RefusalOf(owner.call('delete', pathOf(zone)), 400, 'zone_is_shared');
    expect((await owner.call('delete', `/v1/domains/${zone.id}`)).status).toBe(400);
    await answerOf(owner.call('delete', pathOf(zone)).set('X-Designate-Delete-Shares', 'true'), 202);
    await v2RefusalOf(guest.call('get', pathOf(zone)), 404, 'zone_not_found');
    expect(await setsIn('/v2/recordsets?limit=max', guest)).not.toContain(`${zone.at('www')} A`);
  });
});

describe('13.10 the project that a zone is shared with', () => {
  it('13.10 sees the zone, and leaves it to its owner', async () => {
    const zone = await sharedZone();
    const { id } = await sharedZone('another');
    expect(await bodyOf<ZoneBody>(guest.call('get', pathOf(zone)))).toMatchObject({ id: zone.id, shared: true });
    const { zones } = await bodyOf<{ zones: ZoneBody[] }>(guest.call('get', '/v2/zones?limit=max'));
    expect(zones.map((one) => one.id)).toContain(zone.id);
    expect(zones.map((one) => one.id)).not.toContain(id);
    const named = await bodyOf<{ zones: ZoneBody[] }>(guest.call('get', `/v2/zones?name=${zone.name}`));
    expect(named.zones.map((one) => one.id)).toEqual([zone.id]);
    await answerOf(guest.call('get', pathOf(zone, '/nameservers')));
    await v2RefusalOf(guest.call('patch', pathOf(zone), { ttl: 5 }), 403, 'forbidden');
    await v2RefusalOf(guest.call('delete', pathOf(zone)), 403, 'forbidden');
    await v2RefusalOf(share(zone, 'stranger', guest), 403, 'forbidden');
    const below = { name: zone.at('below'), email: 'hostmaster@example.org' };
    await v2RefusalOf(guest.call('post', '/v2/zones', below), 403, 'illegal_child');
    expect((await guest.call('get', `/v1/domains/${zone.id}`)).status).toBe(404);
    await v2RefusalOf(guest.call('post', pathOf(zone, '/tasks/export')), 404, 'zone_not_found');
    await v2RefusalOf(guest.call('post', pathOf(zone, '/tasks/transfer_requests')), 404, 'zone_not_found');
  });

  it('13.10 creates record sets, and sees and changes no foreign ones', async () => {
    const zone = await sharedZone();
    const own = await newSet(zone, 'own');
    expect(own).toMatchObject({ project_id: 'guest', zone_id: zone.id });
    const other = await newSet(zone, 'other', owner);
    expect(other).toMatchObject({ project_id: 'owner' });
    await answerOf(share(zone, 'another'), 201);
    const third = await newSet(zone, 'third', service.as('another'));

    expect(await bodyOf(guest.call('get', pathOf(zone, `/recordsets/${own.id}`)))).toMatchObject({
      project_id: 'guest',
    });
    expect(await setsIn(pathOf(zone, '/recordsets'), guest)).toEqual([`${zone.at('own')} A`]);
    expect(await setsIn(pathOf(zone, '/recordsets?name=*o*'), guest)).toEqual([`${zone.at('own')} A`]);
    expect(await setsIn(pathOf(zone, '/recordsets?data=192.0.2.1'), guest)).toEqual([`${zone.at('own')} A`]);
    expect(await setsIn('/v2/recordsets?limit=max', guest)).toContain(`${zone.at('own')} A`);
    expect(await setsIn('/v2/recordsets?limit=max', guest)).not.toContain(`${zone.at('other')} A`);
    expect((await guest.call('get', `/v2/recordsets/${own.id}`)).headers.location).toContain(`/${zone.id}/recordsets/`);

    for (const { id } of [other, third]) {
      const path = pathOf(zone, `/recordsets/${id}`);
      await v2RefusalOf(guest.call('get', path), 404, 'recordset_not_found');
      await v2RefusalOf(guest.call('put', path, { records: [] }), 404, 'recordset_not_found');
      await v2RefusalOf(guest.call('delete', path), 404, 'recordset_not_found');
      await v2RefusalOf(guest.call('get', `/v2/recordsets/${id}`), 404, 'recordset_not_found');
    }
    const { recordsets } = await bodyOf<{ recordsets: SetBody[] }>(owner.call('get', pathOf(zone, '/recordsets')));
    for (const { id } of recordsets.filter(({ type }) => type === 'SOA' || type === 'NS'))
      await v2RefusalOf(guest.call('get', pathOf(zone, `/recordsets/${id}`)), 404, 'recordset_not_found');
    await v2RefusalOf(put(zone, 'other'), 409, 'duplicate_recordset');
    await v2RefusalOf(put(zone, 'www', stranger), 404, 'zone_not_found');
    await v2RefusalOf(put(zone, 'www', service.as('guest', 'reader')), 403, 'forbidden');

    const path = pathOf(zone, `/recordsets/${own.id}`);
    const changed = await bodyOf<SetBody>(guest.call('put', path, { records: ['192.0.2.2'], ttl: 60 }), 202);
    expect(changed).toMatchObject({ id: own.id, project_id: 'guest', records: ['192.0.2.2'] });
    expect(await bodyOf(guest.call('delete', path), 202)).toMatchObject({ project_id: 'guest' });
    await v2RefusalOf(guest.call('get', path), 404, 'recordset_not_found');
  });

  it('13.10 shares its record sets with the zone owner, who sees, changes and deletes them', async () => {
    const zone = await sharedZone();
    const { id } = await newSet(zone, 'www');
    const path = pathOf(zone, `/recordsets/${id}`);
    expect(await bodyOf(owner.call('get', path))).toMatchObject({ project_id: 'guest' });
    expect(await setsIn(pathOf(zone, '/recordsets'), owner)).toContain(`${zone.at('www')} A`);
    expect(await setsIn('/v2/recordsets?limit=max', owner)).toContain(`${zone.at('www')} A`);
    const changed = await bodyOf<SetBody>(owner.call('put', path, { records: ['192.0.2.9'] }), 202);
    expect(changed).toMatchObject({ project_id: 'guest', records: ['192.0.2.9'] });
    const [record] = await zone.records();
    expect(record).toMatchObject({ name: zone.at('www'), data: '192.0.2.9' });
    await answerOf(zone.delete(record!.id));
    expect(await setsIn(pathOf(zone, '/recordsets'), guest)).toEqual([]);
    const again = await newSet(zone, 'www', owner);
    expect(again).toMatchObject({ project_id: 'owner' });
    await v2RefusalOf(guest.call('get', pathOf(zone, `/recordsets/${again.id}`)), 404, 'recordset_not_found');
  });

  it('8.3 is held to the quotas of the owner', async () => {
    const limited = await startTestService({ DEFAULT__QUOTA_ZONE_RECORDS: '1' });
    try {
      const zone = await newDomain(limited.as('owner'));
      await answerOf(share(zone, 'guest', limited.as('owner')), 201);
      await newSet(zone, 'www', limited.as('guest'));
      await v2RefusalOf(put(zone, 'ftp', limited.as('guest')), 413, 'over_quota');
    } finally {
      await limited.stop();
    }
  });

  it('8.7, 13.10 is charged once for each change', async () => {
    const limited = await startTestService({ SERVICE_API__CHANGES_PER_MINUTE: '3' });
    try {
      const zone = await newDomain(limited.as('owner'));
      await answerOf(share(zone, 'guest', limited.as('owner')), 201);
      for (const label of ['one', 'two', 'three']) await newSet(zone, label, limited.as('guest'));
    } finally {
      await limited.stop();
    }
  });

  it('13.9, 13.10 keeps its record sets in a zone that it receives', async () => {
    const zone = await sharedZone();
    await answerOf(share(zone, 'another'), 201);
    const { id } = await newSet(zone, 'www');
    const offered = await bodyOf<{ id: string; key: string }>(
      owner.call('post', pathOf(zone, '/tasks/transfer_requests')),
      201,
    );
    const accept = { zone_transfer_request_id: offered.id, key: offered.key };
    await answerOf(guest.call('post', '/v2/zones/tasks/transfer_accepts', accept), 201);
    expect(await bodyOf(guest.call('get', pathOf(zone, `/recordsets/${id}`)))).toMatchObject({ project_id: 'guest' });
    const { shared_zones: left } = await bodyOf<{ shared_zones: ShareBody[] }>(
      guest.call('get', pathOf(zone, '/shares')),
    );
    expect(left.map(({ target_project_id: target }) => target)).toEqual(['another']);
    await v2RefusalOf(owner.call('get', pathOf(zone)), 404, 'zone_not_found');
    expect((await domainOf(guest, zone).records()).map(({ name }) => name)).toEqual([zone.at('www')]);
  });

  it('13.10 shares go on being exact while they end and record sets come', async () => {
    for (let round = 0; round < 5; round += 1) {
      const zone = await newDomain(owner, freshName());
      const { id } = await bodyOf<ShareBody>(share(zone), 201);
      const ending = owner.call('delete', pathOf(zone, `/shares/${id}`));
      const [ended, ...made] = await Promise.all([ending, put(zone, 'a'), put(zone, 'b'), put(zone, 'c')]);
      const there = made.filter(({ status }) => status === 202).length;
      if (ended.status === 204) expect(made.map(({ status }) => status)).toEqual([404, 404, 404]);
      else expect({ status: ended.status, some: there > 0 }).toEqual({ status: 400, some: true });
    }
  });
});
