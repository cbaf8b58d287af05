import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, refusalOf, TIMESTAMP, UUID } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { HistoryBody } from '../support/bodies.js';
import { domainOf, freshName, newDomain, type TestDomain } from '../support/domain.js';
import { type Client, startTestService, type TestService } from '../support/service.js';
import { v2RefusalOf } from '../support/v2.js';

interface OfferBody {
  readonly id: string;
  readonly key: string;
  readonly status: string;
  readonly description: string | null;
  readonly target_project_id: string | null;
}

interface AcceptBody {
  readonly id: string;
  readonly zone_id: string;
}

const REQUESTS = '/v2/zones/tasks/transfer_requests';
const ACCEPTS = '/v2/zones/tasks/transfer_accepts';
const NOBODY = '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4';

let service: TestService;
let giver: Client;
let taker: Client;
let stranger: Client;

beforeAll(async () => {
  service = await startTestService();
  [giver, taker, stranger] = [service.as('giver'), service.as('taker'), service.as('stranger')];
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

function send(zone: TestDomain, body?: unknown, client = giver) {
  return client.call('post', `/v2/zones/${zone.id}/tasks/transfer_requests`, body);
}

function offer(zone: TestDomain, body?: object): Promise<OfferBody> {
  return bodyOf<OfferBody>(send(zone, body), 201);
}

function accept({ id, key }: Pick<OfferBody, 'id' | 'key'>, client = taker) {
  return client.call('post', ACCEPTS, { zone_transfer_request_id: id, key });
}

function show(id: string, client = giver) {
  return client.call('get', `${REQUESTS}/${id}`);
}

describe('13.9 transfer requests', () => {
  it('13.9 are answered 201 with a key, without a body as well as with one', async () => {
    const zone = await newDomain(giver);
    const answer = await answerOf(send(zone), 201);
    const { id } = answer.body as OfferBody;
    const self = `${service.url}${REQUESTS}/${id}`;
    expect(answer.headers.location).toBe(self);
    expect(answer.body).toEqual({
      id: expect.stringMatching(UUID),
      zone_id: zone.id,
      zone_name: zone.name,
      project_id: 'giver',
      target_project_id: null,
      key: expect.stringMatching(/^[A-Z0-9]{8}$/),
      description: null,
      status: 'ACTIVE',
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: null,
      links: { self },
    });
    expect(await bodyOf(show(id))).toEqual(answer.body);
    const other = await offer(await newDomain(giver), { target_project_id: 'taker', description: 'for you' });
    expect(other).toMatchObject({ target_project_id: 'taker', description: 'for you' });
    expect(other.key).not.toBe((answer.body as OfferBody).key);
  });

  it('13.9 a zone has one, until it is deleted', async () => {
    const zone = await newDomain(giver);
    const { id } = await offer(zone);
    await v2RefusalOf(send(zone), 409, 'duplicate_zone_transfer_request');
    await answerOf(giver.call('delete', `${REQUESTS}/${id}`), 204);
    await v2RefusalOf(show(id), 404, 'zone_transfer_request_not_found');
    await offer(zone);
    const raced = await newDomain(giver);
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(raced)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
  });

  it('13.9 other projects see the offered zone, unless the offer names another project', async () => {
    const zone = await newDomain(giver);
    const { id } = await offer(zone, { description: 'anybody' });
    const reduced = {
      id,
      zone_id: zone.id,
      zone_name: zone.name,
      description: 'anybody',
      status: 'ACTIVE',
      links: { self: `${service.url}${REQUESTS}/${id}` },
    };
    expect(await bodyOf(show(id, stranger))).toEqual(reduced);
    await answerOf(giver.call('patch', `${REQUESTS}/${id}`, { target_project_id: 'taker' }));
    expect(await bodyOf(show(id, taker))).toEqual(reduced);
    await v2RefusalOf(show(id, stranger), 403, 'forbidden');
    expect(await bodyOf(show(id, service))).toEqual(reduced);
    expect(await bodyOf(show(id, service).set('X-Auth-All-Projects', 'true'))).toHaveProperty('key');
  });

  it('13.9 are listed for their project and for their target project', async () => {
    const [maker, receiver] = [service.as('maker'), service.as('receiver')];
    const zones = [await newDomain(maker), await newDomain(maker)];
    const own = await bodyOf<OfferBody>(send(zones[0]!, undefined, maker), 201);
    const meant = await bodyOf<OfferBody>(send(zones[1]!, { target_project_id: 'receiver' }, maker), 201);
    const list = (client: Client, query = '') =>
      bodyOf<{ transfer_requests: OfferBody[] }>(client.call('get', `${REQUESTS}${query}`));
    expect(await list(maker)).toEqual({
      transfer_requests: [own, meant],
      links: { self: expect.stringContaining(REQUESTS) },
    });
    const { transfer_requests: received } = await list(receiver);
    expect(received.map(({ id, key }) => ({ id, key }))).toEqual([{ id: meant.id, key: undefined }]);
    expect((await list(maker, '?status=COMPLETE')).transfer_requests).toEqual([]);
    expect((await list(maker, '?limit=1&sort_key=created_at&sort_dir=desc')).transfer_requests).toEqual([meant]);
    expect((await list(maker, `?marker=${own.id}`)).transfer_requests).toEqual([meant]);
    expect((await list(stranger)).transfer_requests).toEqual([]);
    await v2RefusalOf(maker.call('get', `${REQUESTS}?zone_id=x`), 400, 'bad_request');
  });

  it('13.9 description and target can be changed by their project', async () => {
    const { id, key } = await offer(await newDomain(giver), { description: 'a', target_project_id: 'taker' });
    const change = (body: unknown, client = giver) => client.call('patch', `${REQUESTS}/${id}`, body);
    expect(await bodyOf(change({ description: 'b' }))).toMatchObject({
      key,
      description: 'b',
      target_project_id: 'taker',
      updated_at: expect.stringMatching(TIMESTAMP),
    });
    expect(await bodyOf(change({ target_project_id: null }))).toMatchObject({
      description: 'b',
      target_project_id: null,
    });
    expect(await bodyOf(change({}))).toMatchObject({ description: 'b', target_project_id: null });
    await v2RefusalOf(change({ description: 'c' }, stranger), 403, 'forbidden');
    await v2RefusalOf(change({ key: 'AAAAAAAA' }), 400, 'invalid_object');
    await v2RefusalOf(giver.call('patch', `${REQUESTS}/${NOBODY}`, {}), 404, 'zone_transfer_request_not_found');
    await v2RefusalOf(stranger.call('delete', `${REQUESTS}/${id}`), 404, 'zone_transfer_request_not_found');
  });

  it.each<[unknown]>([
    [{ description: 1 }],
    [{ description: 'x'.repeat(161) }],
    [{ target_project_id: '' }],
    [{ target_project_id: 'x'.repeat(256) }],
    [{ target_project_id: ['taker'] }],
    [{ target_project_id: 'a\0b' }],
    [{ key: 'AAAAAAAA' }],
    [{ zone_id: NOBODY }],
  ])('13.9 the body %j is refused', async (body) => {
    await v2RefusalOf(send(await newDomain(giver), body), 400, 'invalid_object');
  });

  it('13.9 need a zone of the caller, and the right to write', async () => {
    const zone = await newDomain(giver);
    await v2RefusalOf(send(zone, undefined, stranger), 404, 'zone_not_found');
    await v2RefusalOf(send(zone, undefined, service.as('giver', 'reader')), 403, 'forbidden');
    await v2RefusalOf(giver.call('post', '/v2/zones/x/tasks/transfer_requests'), 400, 'invalid_uuid');
    await v2RefusalOf(show('x'), 400, 'invalid_uuid');
    await v2RefusalOf(giver.call('get', `${REQUESTS}.json`), 404, 'not_found');
  });

  it('13.9 are deleted with their zone', async () => {
    const zone = await newDomain(giver);
    const offered = await offer(zone);
    await answerOf(giver.call('delete', `/v1/domains/${zone.id}`));
    await v2RefusalOf(show(offered.id), 404, 'zone_transfer_request_not_found');
    await v2RefusalOf(accept(offered), 404, 'zone_transfer_request_not_found');
  });

  it('13.9 can be deleted after their zone', async () => {
    const zone = await newDomain(giver);
    const { id } = await offer(zone);
    await answerOf(giver.call('delete', `/v1/domains/${zone.id}`));
    await v2RefusalOf(stranger.call('delete', `${REQUESTS}/${id}`), 404, 'zone_transfer_request_not_found');
    await answerOf(giver.call('delete', `${REQUESTS}/${id}`), 204);
    await v2RefusalOf(giver.call('delete', `${REQUESTS}/${id}`), 404, 'zone_transfer_request_not_found');
  });
});

describe('13.9 accepting', () => {
  it('13.9 moves the zone with all its data to the other project, and records it in its history', async () => {
    const zone = await newDomain(giver);
    const record = await zone.newRecord();
    const before = await zone.now();
    const offered = await offer(zone);
    const answer = await answerOf(accept(offered), 201);
    const { id } = answer.body as AcceptBody;
    const self = `${service.url}${ACCEPTS}/${id}`;
    expect(answer.headers.location).toBe(self);
    expect(answer.body).toEqual({
      id: expect.stringMatching(UUID),
      zone_id: zone.id,
      project_id: 'taker',
      zone_transfer_request_id: offered.id,
      key: offered.key,
      status: 'COMPLETE',
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: null,
      links: { self, zone: `${service.url}/v2/zones/${zone.id}` },
    });
    await v2RefusalOf(giver.call('get', `/v2/zones/${zone.id}`), 404, 'zone_not_found');
    const taken = domainOf(taker, zone);
    expect((await taken.now()).serial).toBeGreaterThan(before.serial);
    expect(await bodyOf(taken.get(record.id))).toEqual(record);
    await taken.newRecord({ data: '192.0.2.4' });
    const history = await bodyOf<HistoryBody>(taker.call('get', `/v1/domains/${zone.id}/history`));
    expect(history.history[1]).toMatchObject({ action: 'domain.transfer', actor: { tenant_id: 'taker' } });
    expect(await bodyOf(show(offered.id))).toMatchObject({ status: 'COMPLETE', project_id: 'giver' });
    expect(await bodyOf(taker.call('get', `${ACCEPTS}/${id}`))).toEqual({ ...answer.body, key: null });
  });

  it('13.9 decides from then on whose changes the zone takes', async () => {
    const zone = await newDomain(giver);
    const body = (name: string) => ({ name: zone.at(name), type: 'A', data: '192.0.2.1' });
    const create = (name: string, client: Client) => client.call('post', `/v1/domains/${zone.id}/records`, body(name));
    await answerOf(create('before', giver));
    await answerOf(accept(await offer(zone)), 201);
    await refusalOf(create('late', giver), 404, 'domain_not_found');
    await answerOf(create('after', taker));
  });

  it('13.9 works once (attack case 48)', async () => {
    const offered = await offer(await newDomain(giver));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => accept(offered, service.as(`taker-${String(at)}`))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(400)]);
    await v2RefusalOf(accept(offered), 400, 'invalid_zone_transfer_request');
  });

  it('13.9 wants the key, and where it is for one project, that one (attack case 48)', async () => {
    const zone = await newDomain(giver);
    const offered = await offer(zone, { target_project_id: 'taker' });
    await v2RefusalOf(accept(offered, stranger), 403, 'forbidden');
    for (const key of ['', 'AAAAAAAA', offered.key.toLowerCase(), `${offered.key} `, `${offered.key}A`])
      await v2RefusalOf(accept({ id: offered.id, key }), 403, 'invalid_key');
    await v2RefusalOf(accept({ id: NOBODY, key: offered.key }), 404, 'zone_transfer_request_not_found');
    expect(await zone.now()).toMatchObject({ id: zone.id });
    await answerOf(accept({ ...offered, id: offered.id.toUpperCase() }), 201);
  });

  it('13.9 by the project that has offered the zone changes nothing but the request', async () => {
    const zone = await newDomain(giver);
    const before = await zone.now();
    await answerOf(accept(await offer(zone), giver), 201);
    expect(await zone.now()).toEqual(before);
  });

  it('8.3 holds to the zones that the new owner may have (attack case 48)', async () => {
    const limited = await startTestService({ DEFAULT__QUOTA_ZONES: '1' });
    try {
      const [rich, poor] = [limited.as('rich'), limited.as('poor')];
      const zone = await newDomain(rich);
      const { id: own } = await newDomain(poor);
      const offered = await bodyOf<OfferBody>(send(zone, undefined, rich), 201);
      await v2RefusalOf(accept(offered, poor), 413, 'over_quota');
      await answerOf(poor.call('delete', `/v1/domains/${own}`));
      await answerOf(accept(offered, poor), 201);
      await newDomain(rich);
      audit(limited.databaseFile);
    } finally {
      await limited.stop();
    }
  });

  it('7.1 no zone comes to lie inside or above one of another project', async () => {
    const parent = await newDomain(giver);
    const child = await newDomain(giver, `child.${parent.name}`);
    await v2RefusalOf(accept(await offer(child)), 403, 'illegal_child');
    await v2RefusalOf(accept(await offer(parent)), 403, 'illegal_parent');
  });

  it('7.3, 7.4 only an admin may accept a name that only an admin may own', async () => {
    const suffix = await newDomain(service, 'transferred.');
    const offered = await bodyOf<OfferBody>(send(suffix, undefined, service), 201);
    await v2RefusalOf(accept(offered), 400, 'invalid_object');
    await answerOf(accept(offered, service.as('other-admin', 'admin')), 201);
  });

  it.each<[unknown]>([
    [{}],
    [{ key: 'AAAAAAAA' }],
    [{ zone_transfer_request_id: NOBODY }],
    [{ zone_transfer_request_id: 'x', key: 'AAAAAAAA' }],
    [{ zone_transfer_request_id: NOBODY, key: 1 }],
    [{ zone_transfer_request_id: NOBODY, key: null }],
    [{ zone_transfer_request_id: [NOBODY], key: 'AAAAAAAA' }],
    [{ zone_transfer_request_id: NOBODY, key: 'A'.repeat(256) }],
    [{ zone_transfer_request_id: NOBODY, key: 'A\0' }],
    [{ zone_transfer_request_id: NOBODY, key: 'AAAAAAAA', status: 'COMPLETE' }],
  ])('13.9 the body %j is refused', async (body) => {
    await v2RefusalOf(taker.call('post', ACCEPTS, body), 400, 'invalid_object');
  });

  it('13.9 is seen by the new owner until the request is deleted; admins list all', async () => {
    const offered = await offer(await newDomain(giver, freshName()));
    const { id } = await bodyOf<AcceptBody>(accept(offered), 201);
    await v2RefusalOf(giver.call('get', `${ACCEPTS}/${id}`), 404, 'zone_transfer_accept_not_found');
    await v2RefusalOf(taker.call('get', ACCEPTS), 403, 'forbidden');
    const list = service.call('get', `${ACCEPTS}?limit=max`).set('X-Auth-All-Projects', 'true');
    const { transfer_accepts: all } = await bodyOf<{ transfer_accepts: AcceptBody[] }>(list);
    expect(all.map((one) => one.id)).toContain(id);
    await v2RefusalOf(taker.call('delete', `${REQUESTS}/${offered.id}`), 404, 'zone_transfer_request_not_found');
    await answerOf(giver.call('delete', `${REQUESTS}/${offered.id}`), 204);
    await v2RefusalOf(taker.call('get', `${ACCEPTS}/${id}`), 404, 'zone_transfer_accept_not_found');
  });

  it('8.7 each attempt costs a change (attack case 48)', async () => {
    const limited = await startTestService({ SERVICE_API__CHANGES_PER_MINUTE: '5' });
    try {
      const offered = await bodyOf<OfferBody>(
        send(await newDomain(limited.as('rich')), undefined, limited.as('rich')),
        201,
      );
      const attempts = [];
      for (let at = 0; at < 7; at += 1)
        attempts.push((await accept({ ...offered, key: 'GUESSED0' }, limited.as('x'))).status);
      expect(attempts).toEqual([403, 403, 403, 403, 403, 429, 429]);
    } finally {
      await limited.stop();
    }
  });
});
