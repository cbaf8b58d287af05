import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, expectStatus, refusalOf } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import { samplesIn, type Sample, sumOf } from '../support/metrics.js';
import { itWith, run, withFile } from '../support/run-program.js';
import { ADMIN_TOKEN, startTestService, type TestService } from '../support/service.js';

const PROMTOOL = { name: 'promtool', needs: { promtool: 'prometheus' } };
const REQUESTS = 'zonewright_http_requests_total';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function page(): Promise<string> {
  const answer = await answerOf(service.call('get', '/metrics'));
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  return answer.text;
}

const samples = async (): Promise<Sample[]> => samplesIn(await page());

describe('16.3 GET /metrics on the port of the API', () => {
  it('is for admins', async () => {
    await refusalOf(service.as('tenant-b').call('get', '/metrics'), 401, 'access_denied');
  });

  it('needs a credential, which Prometheus can send as a bearer token', async () => {
    const settings = { SERVICE_API__AUTH_STRATEGY: 'token', AUTH__ADMIN_TOKEN: ADMIN_TOKEN };
    const other = await startTestService(settings);
    try {
      await refusalOf(other.plain('get', '/metrics'), 401, 'access_denied');
      await answerOf(other.plain('get', '/metrics').set('Authorization', `Bearer ${ADMIN_TOKEN}`));
    } finally {
      await other.stop();
    }
  });

  it('answers each format that Prometheus accepts', async () => {
    const accept = 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
    await answerOf(service.call('get', '/metrics').set('Accept', accept));
  });

  it('counts requests by method, route and status, and how long they took', async () => {
    const domain = await newDomain(service);
    const route = '/v1/domains/:domain_id';
    const before = await samples();
    for (let count = 0; count < 3; count += 1) await answerOf(service.call('get', `/v1/domains/${domain.id}`));
    expectStatus(await service.as('tenant-b').call('get', `/v1/domains/${domain.id}`), 404);
    const after = await samples();
    const grown = (name: string, labels: Record<string, string>) =>
      sumOf(after, name, labels) - sumOf(before, name, labels);
    expect(grown(REQUESTS, { method: 'GET', route, status: '200' })).toBe(3);
    expect(grown(REQUESTS, { method: 'GET', route, status: '404' })).toBe(1);
    expect(grown('zonewright_http_request_duration_seconds_count', { method: 'GET', route })).toBe(4);
    const took = grown('zonewright_http_request_duration_seconds_sum', { method: 'GET', route });
    expect(took).toBeGreaterThan(0);
    expect(took).toBeLessThan(10);
  });

  it('has only fixed labels: no tenants, names or client values (attack cases 56, 111)', async () => {
    const domain = await newDomain(service);
    await domain.newRecord();
    await samples();
    const before = (await samples()).length;
    for (let count = 0; count < 40; count += 1) {
      await service.as(`made-up-tenant-${count}`).call('get', `/v1/domains/${domain.id}?made_up_${count}=1`);
      await service.call('get', `/made-up-path-${count}/"quoted"`);
      await fetch(`${service.url}/v1/domains`, { method: `MADEUP${count}` }).catch(() => undefined);
    }
    const text = await page();
    expect(text).not.toMatch(/made.?up/i);
    for (const known of ['tenant-a', domain.name, domain.id]) expect(text).not.toContain(known);
    // Two routes with statuses that had not occurred, each one count and the lines of one histogram.
    expect(samplesIn(text).length - before).toBeLessThan(100);
  });

  it('shows the waits of changes: queue, groups, commits', async () => {
    const names = [
      'zonewright_commit_group_changes',
      'zonewright_change_wait_seconds',
      'zonewright_commit_duration_seconds',
    ];
    const domain = await newDomain(service);
    const before = await samples();
    await Promise.all(Array.from({ length: 12 }, (_, at) => domain.newRecord({ name: domain.at(`www${at}`) })));
    const after = await samples();
    const grown = (name: string) => sumOf(after, name) - sumOf(before, name);
    for (const name of names) expect([name, grown(`${name}_count`) > 0]).toEqual([name, true]);
    expect(grown('zonewright_commit_group_changes_sum')).toBeGreaterThanOrEqual(12);
    expect(after.filter(({ name }) => name === 'zonewright_changes_waiting')).toMatchObject([{ labels: {} }]);
  });

  it('shows the portions of imports', async () => {
    const domain = await newDomain(service);
    const file = Array.from({ length: 1200 }, (_, at) => `r${at} 300 IN A 192.0.2.1\n`).join('');
    const name = 'zonewright_import_portion_duration_seconds_count';
    const before = sumOf(await samples(), name);
    await answerOf(service.call('post', `/v1/domains/${domain.id}/import`).set('Content-Type', 'text/dns').send(file));
    expect(sumOf(await samples(), name) - before).toBeGreaterThanOrEqual(2);
  });

  it('shows the delay of the event loop, memory and the start of the process', async () => {
    const after = await samples();
    for (const name of [
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
      'process_start_time_seconds',
    ])
      expect(sumOf(after, name)).toBeGreaterThan(0);
  });

  itWith(PROMTOOL)('passes promtool without findings', async () => {
    await withFile(await page(), async (path) => {
      const { failed, output } = await run('sh', ['-c', `promtool check metrics < ${path}`]);
      expect({ failed, output: output.trim() }).toEqual({ failed: false, output: '' });
    });
  });
});

describe('16.3 [metrics] listen', () => {
  let apart: TestService;
  let url: string;
  beforeAll(async () => {
    apart = await startTestService({ METRICS__LISTEN: '127.0.0.1:0' });
    url = apart.running.metricsUrl ?? '';
  });
  afterAll(() => apart.stop());

  it('shows the figures there without a credential, and not on the port of the API', async () => {
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(samplesIn(await answer.text()).length).toBeGreaterThan(50);
    await refusalOf(apart.call('get', '/metrics'), 404, 'not_found');
  });

  it('serves no other path', async () => {
    const other = async (path: string, method: string) => (await fetch(new URL(path, url), { method })).status;
    expect(await other('/v1/domains', 'GET')).toBe(404);
    expect(await other('/metrics', 'POST')).toBe(405);
    expect(await other('/metrics', 'HEAD')).toBe(200);
  });

  it('is one line for the operator when the address is taken', async () => {
    const { port } = new URL(url);
    await expect(startTestService({ METRICS__LISTEN: `127.0.0.1:${port}` })).rejects.toThrow(
      new RegExp(`^127\\.0\\.0\\.1:${port} is taken by another program: stop it or set \\[metrics\\] listen`),
    );
  });
});
