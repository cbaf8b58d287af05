import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import { answerOf, bodyOf, expectRefusal, expectStatus, refusalOf } from '../support/answers.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { seedRecords } from '../support/seed.js';
import { executeIn } from '../support/stored.js';
import { ZoneTexts } from '../../src/zone-files/export/zone-texts.js';

const MIB = 2 ** 20;
const SPACE_MIB = 4;
/** Exceeds 1 MiB as text, and so is spooled. */
const LARGE = 19;
const TEXT = 'x'.repeat(60_000);
const TAG = /^W\/"[!#-~]+"$/;

let service: AssembledService;
let zone: TestDomain;

beforeAll(async () => {
  service = await assembleTestService({
    settings: {
      SERVICE_API__EXPORT_SPACE: String(SPACE_MIB),
      SERVICE_API__ENABLE_API_ADMIN: 'True',
      SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas',
    },
  });
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service);
  await zone.newRecord();
});

const pathOf = ({ id }: TestDomain, query = ''): string => `/v1/domains/${id}/export${query}`;
const ask = (tag: string, query = ''): Test => service.call('get', pathOf(zone, query)).set('If-None-Match', tag);
const tagOf = async (query = ''): Promise<string> => {
  const { headers } = await answerOf(service.call('get', pathOf(zone, query)));
  expect(headers.etag).toMatch(TAG);
  return String(headers.etag);
};
/** The data of records, which nothing but a new rendering would show. */
const changeBehindItsBack = (): void =>
  executeIn(service.databaseFile, `UPDATE records SET rdata = 'c0000263' WHERE zone_id = '${zone.id}'`);

async function largeDomain(client: Parameters<typeof newDomain>[0] = service): Promise<TestDomain> {
  const large = await newDomain(client);
  seedRecords(service.databaseFile, large.id, LARGE, TEXT);
  return large;
}

describe('entity tags', () => {
  it('15.6 answers 304 to a client that has the text, until a change', async () => {
    const tag = await tagOf();
    for (const known of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      const { status, headers, text } = await ask(known);
      expect({ status, etag: headers.etag, text }).toEqual({ status: 304, etag: tag, text: '' });
    }
    expectStatus(await service.call('head', pathOf(zone)).set('If-None-Match', tag), 304);
    await zone.newRecord({ data: '192.0.2.4' });
    const { headers, text } = await answerOf(ask(tag));
    expect(headers.etag).not.toBe(tag);
    expect(text).toContain('192.0.2.4');
  });

  it('15.6 the text has its length and its tag, for HEAD as well', async () => {
    const { headers, text } = await answerOf(service.call('get', pathOf(zone)));
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
    const head = await answerOf(service.call('head', pathOf(zone)));
    expect(head.headers).toMatchObject({ etag: headers.etag, 'content-length': headers['content-length'] });
  });

  it('15.6 a refusal has no tag', async () => {
    const tag = await tagOf();
    const answer = await service.as('somebody-else').call('get', pathOf(zone)).set('If-None-Match', tag);
    expectRefusal(answer, { status: 404, type: 'domain_not_found' });
    expect(answer.headers.etag).toBeUndefined();
  });

  it('11.2 an earlier state has the tag that it had then', async () => {
    const { serial } = await zone.now();
    const tag = await tagOf();
    await zone.newRecord({ data: '192.0.2.4' });
    expect(await tagOf(`?serial=${serial}`)).toBe(tag);
    expect(await tagOf()).not.toBe(tag);
    expectStatus(await ask(tag, `?serial=${serial}`), 304);
  });

  it('13.5 the text of an export of version 2 has one too', async () => {
    const { id } = await bodyOf<{ id: string }>(service.call('post', `/v2/zones/${zone.id}/tasks/export`), 202);
    const fetchText = (): Test => service.call('get', `/v2/zones/tasks/exports/${id}/export`).set('Accept', 'text/dns');
    const { headers, text } = await answerOf(fetchText());
    await zone.newRecord({ data: '192.0.2.4' });
    const again = await answerOf(fetchText());
    expect({ tag: again.headers.etag, text: again.text }).toEqual({ tag: headers.etag, text });
    expectStatus(await fetchText().set('If-None-Match', String(headers.etag)), 304);
  });
});

describe('texts that are kept', () => {
  it('15.6 an unchanged zone is not read again, and a changed one is', async () => {
    const before = await zone.export();
    changeBehindItsBack();
    expect(await zone.export()).toBe(before);
    await zone.newRecord({ name: zone.at('new') });
    expect(await zone.export()).toContain('192.0.2.99');
  });

  it('11.2 nor is an earlier state', async () => {
    const { serial } = await zone.now();
    await zone.newRecord({ data: '192.0.2.4' });
    const earlier = (): Promise<string> =>
      answerOf(service.call('get', pathOf(zone, `?serial=${serial}`))).then(({ text }) => text);
    const before = await earlier();
    changeBehindItsBack();
    expect(await earlier()).toBe(before);
  });

  it('11.2 an earlier state with expired history is not found, cached or not', async () => {
    const { serial } = await zone.now();
    await zone.newRecord({ data: '192.0.2.4' });
    await tagOf(`?serial=${serial}`);
    const { id } = await bodyOf<{ id: string }>(service.call('post', `/v2/zones/${zone.id}/tasks/export`), 202);
    const fetchText = (): Test => service.call('get', `/v2/zones/tasks/exports/${id}/export`).set('Accept', 'text/dns');
    await zone.newRecord({ data: '192.0.2.5' });
    await answerOf(fetchText());
    executeIn(service.databaseFile, `DELETE FROM journal WHERE zone_id = '${zone.id}'`);
    await refusalOf(service.call('get', pathOf(zone, `?serial=${serial}`)), 404, 'serial_not_found');
    expectStatus(await fetchText(), 404);
  });

  it('15.6 gives no text to callers without access to the zone, and applies quotas to cached texts', async () => {
    const tag = await tagOf();
    await refusalOf(service.as('somebody-else').call('get', pathOf(zone)), 404, 'domain_not_found');
    const admin = service.as('tenant-a', 'admin');
    await answerOf(admin.call('patch', '/admin/quotas/tenant-a', { quota: { api_export_size: 0 } }));
    try {
      await refusalOf(service.call('get', pathOf(zone)), 413, 'over_quota');
      await refusalOf(ask(tag), 413, 'over_quota');
    } finally {
      await answerOf(admin.call('delete', '/admin/quotas/tenant-a'), 204);
    }
    await answerOf(service.call('get', pathOf(zone)));
  });

  it('15.6 sends one text to concurrent readers, also when the first one disconnects', async () => {
    const large = await largeDomain();
    const leaving = startReading(large);
    const others = Array.from({ length: 4 }, () => answerOf(service.call('get', pathOf(large))));
    (await leaving).destroy();
    const texts = (await Promise.all(others)).map(({ text }) => text);
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]?.split('\n')).toHaveLength(LARGE + 4);
  });

  it('15.6 one tenant takes half of the room at most, and others keep theirs', async () => {
    const texts = service.get(ZoneTexts);
    const other = await largeDomain(service.as('modest'));
    await other.export();
    const kept = texts.sizeOf('modest').onDisk;
    expect(kept).toBeGreaterThan(MIB);
    for (let made = 0; made < SPACE_MIB - 1; made += 1) await (await largeDomain(service.as('greedy'))).export();
    const { onDisk } = texts.sizeOf('greedy');
    expect(onDisk).toBeGreaterThan(MIB);
    expect(onDisk).toBeLessThanOrEqual((SPACE_MIB / 2) * MIB);
    expect(texts.sizeOf('modest').onDisk).toBe(kept);
    expect(texts.size.onDisk).toBeLessThanOrEqual(SPACE_MIB * MIB);
  });

  it('15.6 a stalled reader delays no other reader, and its text stays cached', async () => {
    const large = await largeDomain();
    const unread = await startReading(large);
    const text = await large.export();
    unread.destroy();
    expect(await large.export()).toBe(text);
  });
});

/** An export without a reader. */
function startReading(domain: TestDomain): Promise<IncomingMessage> {
  const headers = { 'X-Auth-Project-ID': 'tenant-a', 'X-Roles': 'member' };
  return new Promise((resolve, reject) => {
    get(`${service.url}${pathOf(domain)}`, { headers, agent: false }, (response) => {
      response.on('error', () => undefined);
      resolve(response);
    }).once('error', reject);
  });
}
