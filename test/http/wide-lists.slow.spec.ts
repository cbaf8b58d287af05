import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectRefusal, expectStatus } from '../support/answers.js';
import type { RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

/** Together 9 MB: more than the sockets between two processes hold, in pages of five records. */
const COUNT = 150;
/** The octets of 235 strings. */
const TEXT = `"${'x'.repeat(255)}" `.repeat(235);

describe('lists of long records', () => {
  let service: TestService;
  let domain: TestDomain;
  let short: TestDomain;
  let ids: string[];
  beforeAll(async () => {
    service = await startTestService({
      SERVICE_API__MAX_BODY_SIZE: '100 MiB',
      SERVICE_API__MAX_STREAMS_PER_TENANT: '2',
      SERVICE_API__MAX_STREAMS: '3',
    });
    domain = await newDomain(service);
    short = await newDomain(service);
    await domain.import(Array.from({ length: COUNT }, (_, at) => `h${at} TXT ${TEXT}\n`).join(''));
    ids = (await listed('')).records.map(({ id }) => id);
  });
  afterAll(() => service.stop());

  interface List {
    readonly records: readonly RecordBody[];
    readonly links?: { readonly self: string; readonly next?: string };
  }

  async function listed(query: string): Promise<List> {
    const answer = await service.call('get', `/v1/domains/${domain.id}/records${query}`);
    expectStatus(answer, 200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    return answer.body as List;
  }

  it('6.4 are complete by default, and have nothing behind', async () => {
    const list = await listed('');
    expect(Object.keys(list)).toEqual(['records']);
    expect(list.records).toHaveLength(COUNT);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(list.records.map(({ data }) => data.length)).size).toBe(1);
  });

  it.each(['type=TXT', 'limit=1000', 'type=TXT&limit=150'])('6.4 are the same with %s', async (query) => {
    const { records, links } = await listed(`?${query}`);
    expect(records.map(({ id }) => id)).toEqual(ids);
    expect(links?.next).toBeUndefined();
    expect(links !== undefined).toBe(query.includes('limit'));
  });

  it.each([149, 100, 64, 3])('6.4 have up to the limit of %d entries and link to the next', async (limit) => {
    const seen: string[] = [];
    for (let query: string | undefined = `?limit=${limit}`; query !== undefined;) {
      const { records, links } = await listed(query);
      seen.push(...records.map(({ id }) => id));
      expect(links!.self).toContain(`limit=${limit}`);
      query = links!.next === undefined ? undefined : new URL(links!.next).search;
      expect(records).toHaveLength(query === undefined ? COUNT % limit || limit : limit);
    }
    expect(seen).toEqual(ids);
  });

  it('6.4 as many are under way as the options say, for a tenant and in all', async () => {
    const unread = [await startList('tenant-a', ''), await startList('tenant-a', '?limit=1000')];
    for (const path of ['records', 'records?limit=149', 'export', 'check']) {
      const answer = await service.call('get', `/v1/domains/${domain.id}/${path}`);
      expectRefusal(answer, { status: 503, type: 'unavailable' });
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    for (const path of [`${short.id}/records`, `${domain.id}/records?limit=3`])
      expectStatus(await service.call('get', `/v1/domains/${path}`), 200);
    unread.push(await startList('tenant-b', ''));
    const all = await service
      .as('tenant-c', 'admin')
      .call('get', `/v1/domains/${domain.id}/records`)
      .set('X-Auth-All-Projects', 'true');
    expectRefusal(all, { status: 503, type: 'unavailable' });
    for (const answer of unread) answer.destroy();
    await untilServed();
  });

  /** A list without a reader. */
  function startList(tenant: string, query: string): Promise<IncomingMessage> {
    const headers = { 'X-Auth-Project-ID': tenant, 'X-Roles': 'admin', 'X-Auth-All-Projects': 'true' };
    return new Promise((resolve, reject) => {
      get(`${service.url}/v1/domains/${domain.id}/records${query}`, { headers, agent: false }, (answer) => {
        answer.on('error', () => undefined);
        resolve(answer);
      }).once('error', reject);
    });
  }

  /** A slot is free once the service notices the disconnect. */
  async function untilServed(): Promise<void> {
    for (;;) {
      const { status } = await service.call('get', `/v1/domains/${domain.id}/records`);
      if (status === 200) return;
      expect(status).toBe(503);
    }
  }
});
