import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, TIMESTAMP, UUID } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { type Client, startTestService, type TestService } from '../support/service.js';
import { v2RefusalOf } from '../support/v2.js';
import { recordsOfFile } from '../support/zone-records.js';

interface ExportBody {
  readonly id: string;
  readonly status: string;
  readonly zone_id: string;
  readonly links: Readonly<Record<string, string>>;
}

const NOBODY = '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4';

let service: TestService;
let owner: Client;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTestService();
  owner = service.as('exporter');
  zone = await newDomain(owner);
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

function begin(client = owner, zoneId = zone.id): Promise<ExportBody> {
  return bodyOf(client.call('post', `/v2/zones/${zoneId}/tasks/export`), 202);
}

function show(id: string, client = owner) {
  return client.call('get', `/v2/zones/tasks/exports/${id}`);
}

function fetchText(id: string, client = owner) {
  return show(`${id}/export`, client).set('Accept', 'text/dns');
}

describe('13.5 exports', () => {
  it('13.5 are answered 202 PENDING, and found COMPLETE with the place of their text', async () => {
    const answer = await answerOf(
      owner.call('post', `/v2/zones/${zone.id}/tasks/export`).set('Content-Type', 'application/json'),
      202,
    );
    const { id } = answer.body as ExportBody;
    const self = `${service.url}/v2/zones/tasks/exports/${id}`;
    expect(answer.headers.location).toBe(self);
    expect(answer.body).toEqual({
      id: expect.stringMatching(UUID),
      zone_id: zone.id,
      project_id: 'exporter',
      status: 'PENDING',
      message: null,
      location: null,
      version: 1,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: null,
      links: { self },
    });
    expect(await bodyOf(show(id))).toEqual({
      ...answer.body,
      status: 'COMPLETE',
      location: `designate://v2/zones/tasks/exports/${id}/export`,
      version: 2,
      updated_at: expect.stringMatching(TIMESTAMP),
      links: { self, export: `${self}/export` },
    });
  });

  it('13.5 the text is the zone at export time, after any later change', async () => {
    const changing = await newDomain(owner);
    const record = await changing.newRecord();
    const { id } = await begin(owner, changing.id);
    const then = await changing.export();
    await changing.newRecord({ data: '192.0.2.4' });
    await answerOf(changing.delete(record.id));
    expect(await changing.export()).not.toBe(then);
    const answer = await answerOf(fetchText(id));
    expect(answer.headers['content-type']).toMatch(/^text\/dns/);
    expect(recordsOfFile(answer.text, changing.name)).toEqual(recordsOfFile(then, changing.name));
    expect(answer.text.split('\n').slice(0, 2)).toEqual([`$ORIGIN ${changing.name}`, '$TTL 3600']);
    expect(answer.text).toMatch(/^\S+ {2}IN SOA \S/m);
  });

  it('13.5 the text is served as text/dns only', async () => {
    const { id } = await begin();
    await v2RefusalOf(show(`${id}/export`).set('Accept', 'application/json'), 406, 'unsupported_accept');
    await answerOf(show(`${id}/export`).set('Accept', '*/*'));
  });

  it('13.5 are listed with filters, pages and a count, for the project alone', async () => {
    const lister = service.as('lister');
    const [first, second] = [await newDomain(lister), await newDomain(lister)];
    const ids = [];
    for (const { id } of [first, second, first]) ids.push((await begin(lister, id)).id);
    const list = (query: string, client = lister) =>
      bodyOf<{ exports: ExportBody[]; links: Record<string, string>; metadata: object }>(
        client.call('get', `/v2/zones/tasks/exports${query}`),
      );
    const all = await list('');
    expect(all.exports.map(({ id }) => id)).toEqual(ids);
    expect(all).toMatchObject({ metadata: { total_count: 3 } });
    const page = await list('?limit=2&sort_dir=desc&sort_key=created_at');
    expect(page.exports.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const next = new URL(page.links.next!);
    expect((await list(next.search)).exports.map(({ id }) => id)).toEqual([ids[0]]);
    expect((await list(`?zone_id=${first.id}&status=comp*`)).exports.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    expect((await list('?status=PENDING')).exports).toEqual([]);
    expect((await list('', service.as('stranger'))).exports).toEqual([]);
    await v2RefusalOf(lister.call('get', '/v2/zones/tasks/exports?name=x'), 400, 'bad_request');
    await v2RefusalOf(lister.call('get', '/v2/zones/tasks/exports?sort_key=status'), 400, 'invalid_sort_key');
    await v2RefusalOf(lister.call('get', `/v2/zones/tasks/exports?marker=${NOBODY}`), 400, 'marker_not_found');
  });

  it('13.5 are missing after deletion, and hidden from other projects', async () => {
    const { id } = await begin();
    const stranger = service.as('stranger');
    await v2RefusalOf(show(id, stranger), 404, 'zone_export_not_found');
    await v2RefusalOf(fetchText(id, stranger), 404, 'zone_export_not_found');
    await v2RefusalOf(stranger.call('delete', `/v2/zones/tasks/exports/${id}`), 404, 'zone_export_not_found');
    await answerOf(owner.call('delete', `/v2/zones/tasks/exports/${id}`), 204);
    await v2RefusalOf(show(id), 404, 'zone_export_not_found');
    await v2RefusalOf(owner.call('delete', `/v2/zones/tasks/exports/${id}`), 404, 'zone_export_not_found');
    await v2RefusalOf(owner.call('get', '/v2/zones/tasks/imports/' + (await begin()).id), 404, 'zone_import_not_found');
  });

  it('13.5 want a zone of the caller, an id, and the right to write', async () => {
    const path = (id: string) => `/v2/zones/${id}/tasks/export`;
    await v2RefusalOf(owner.call('post', path(NOBODY)), 404, 'zone_not_found');
    await v2RefusalOf(service.as('stranger').call('post', path(zone.id)), 404, 'zone_not_found');
    await v2RefusalOf(owner.call('post', path('example.org.')), 400, 'invalid_uuid');
    await v2RefusalOf(show('x'), 400, 'invalid_uuid');
    await v2RefusalOf(service.as('exporter', 'reader').call('post', path(zone.id)), 403, 'forbidden');
    await v2RefusalOf(owner.call('put', `/v2/zones/tasks/exports/${NOBODY}`, {}), 405, 'method_not_allowed');
  });

  it('13.5 an admin sees those of all projects on request', async () => {
    const { id } = await begin();
    await v2RefusalOf(service.call('get', `/v2/zones/tasks/exports/${id}`), 404, 'zone_export_not_found');
    await answerOf(service.call('get', `/v2/zones/tasks/exports/${id}`).set('X-Auth-All-Projects', 'true'));
  });

  it('8.3 refuses an export above api_export_size immediately', async () => {
    const limited = await startTestService({ DEFAULT__QUOTA_API_EXPORT_SIZE: '1' });
    try {
      const small = await newDomain(limited.as('small'));
      await small.newRecord();
      await begin(limited.as('small'), small.id);
      await small.newRecord({ data: '192.0.2.4' });
      const again = limited.as('small').call('post', `/v2/zones/${small.id}/tasks/export`);
      await v2RefusalOf(again, 413, 'over_quota');
    } finally {
      await limited.stop();
    }
  });

  it('13.5 deletes the text together with its zone', async () => {
    const shortLived = await newDomain(owner);
    const { id } = await begin(owner, shortLived.id);
    await answerOf(owner.call('delete', `/v1/domains/${shortLived.id}`));
    await v2RefusalOf(fetchText(id), 404, 'zone_not_found');
    await answerOf(show(id));
  });
});
