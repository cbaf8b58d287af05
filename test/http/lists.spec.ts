import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectStatus } from '../support/answers.js';
import type { RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { openSocket, receive, sendRaw } from '../support/raw-http.js';
import { startTestService, type TestService } from '../support/service.js';

/** More than the thousand entries that a list reads at a time. */
const COUNT = 1201;

describe('long lists', () => {
  let service: TestService;
  let domain: TestDomain;
  let ids: string[];
  beforeAll(async () => {
    service = await startTestService();
    domain = await newDomain(service);
    const lines = Array.from({ length: COUNT }, (_, index) => `r${index}.${domain.name} 3600 IN A 192.0.2.3\n`);
    await domain.import(lines.join(''));
    ids = (await records('')).map(({ id }) => id);
  });
  afterAll(() => service.stop());

  async function records(query: string): Promise<RecordBody[]> {
    const answer = await service.call('get', `/v1/domains/${domain.id}/records${query}`);
    expectStatus(answer, 200);
    return answer.body.records;
  }

  /** The ids of all pages, following `links.next`; `between` is called after each page. */
  async function pages(limit: number, between: (page: RecordBody[]) => Promise<void> = async () => {}) {
    const seen: string[] = [];
    let target: string | undefined = `/v1/domains/${domain.id}/records?limit=${limit}`;
    while (target !== undefined) {
      const answer = await service.call('get', target);
      expectStatus(answer, 200);
      const { records: page, links } = answer.body as { records: RecordBody[]; links: { next?: string } };
      expect(page.length).toBeLessThanOrEqual(limit);
      seen.push(...page.map(({ id }) => id));
      target = links.next === undefined ? undefined : links.next.slice(service.url.length);
      if (target !== undefined) await between(page);
    }
    return seen;
  }

  it('6.4 are complete by default and ordered by creation', async () => {
    expect(ids).toHaveLength(COUNT);
    expect(ids).toEqual([...ids].sort());
  });

  it.each([1000, 601, 600, 400, 101, 100, 99])('6.4 are the same in pages of %d (attack case 85)', async (limit) => {
    expect(await pages(limit)).toEqual(ids);
  });

  it('6.4 lead no further when the last page is full', async () => {
    const [first = '', ...rest] = ids;
    const answer = await service.call('get', `/v1/domains/${domain.id}/records?limit=1000&marker=${ids[200]!}`);
    expect(answer.body.records).toHaveLength(1000);
    expect(answer.body.links).not.toHaveProperty('next');
    expect((await records(`?limit=1000&marker=${first}`))[0]!.id).toBe(rest[0]);
    expect(await records(`?limit=10&marker=${ids.at(-1)!}`)).toEqual([]);
  });

  it('6.4 show every stable record exactly once under concurrent changes between pages (attack case 85)', async () => {
    const gone: string[] = [];
    const made: string[] = [];
    const seen = await pages(100, async (page) => {
      // The record at the end of the page is the next page's marker.
      const { id } = page.at(-1)!;
      expectStatus(await service.call('delete', `/v1/domains/${domain.id}/records/${id}`), 200);
      gone.push(id);
      made.push((await domain.newRecord({ name: `n${gone.length}.${domain.name}` })).id);
    });
    expect(seen.filter((id) => !made.includes(id))).toEqual(ids);
    expect(new Set(seen).size).toBe(seen.length);
    ids = [...ids.filter((id) => !gone.includes(id)), ...made];
    expect((await records('')).map(({ id }) => id)).toEqual(ids);
  });

  it('1.5 answer HEAD with the type of the list and no body', async () => {
    const octets = `HEAD /v1/domains/${domain.id}/records HTTP/1.1\r\nHost: a\r\nX-Auth-Project-ID: tenant-a\r\nConnection: close\r\n\r\n`;
    const { status, text } = await sendRaw(service.url, octets);
    expect(status).toBe(200);
    expect(text).toContain('Content-Type: application/json; charset=utf-8');
    expect(text.split('\r\n\r\n')[1]).toBe('');
  });

  it('6.4 end safely when the client disconnects', async () => {
    for (let round = 0; round < 20; round += 1) {
      const socket = openSocket(service.url);
      socket.write(`GET /v1/domains/${domain.id}/records HTTP/1.1\r\nHost: a\r\nX-Auth-Project-ID: tenant-a\r\n\r\n`);
      await receive(socket, (text) => text.includes('200 OK'));
      socket.resetAndDestroy();
    }
    expect(await records('')).toHaveLength(ids.length);
  });

  it.each([
    ['name', () => `name=R7.${domain.name}`, 1],
    ['type', () => 'type=A', COUNT],
    ['type and limit', () => 'type=A&limit=7', 7],
    ['data', () => 'data=192.0.2.3', COUNT],
    ['what nothing has', () => 'type=MX', 0],
  ])('6.4 are filtered by %s', async (_, query, count) => {
    expect(await records(`?${query()}`)).toHaveLength(count);
  });
});
