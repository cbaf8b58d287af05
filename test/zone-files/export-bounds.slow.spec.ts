import { get, type IncomingMessage } from 'node:http';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { answerOf, expectRefusal, expectStatus, refusalOf } from '../support/answers.js';
import { startServiceProcess } from '../support/process.js';
import { clientsOf, environmentOf, removeTestData, startTestService, type TestService } from '../support/service.js';
import { newDomain, type TestDomain } from '../support/domain.js';

const PER_TENANT = 2;
/** More text than the buffers between two processes hold. */
const RECORDS = 160;
/** Enough records that a check takes a while. */
const CHECKED_RECORDS = 20_000;
const SETTINGS_OF_LONG_EXPORTS = { SERVICE_API__MAX_BODY_SIZE: '10 MiB', DEFAULT__QUOTA_API_EXPORT_SIZE: '100000' };
/** The octets of 235 strings. */
const TEXT = `"${'x'.repeat(255)}" `.repeat(235);

let directory: string;
let service: TestService;
let large: TestDomain;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-spool-'));
  service = await startTestService({
    SERVICE_API__MAX_STREAMS_PER_TENANT: String(PER_TENANT),
    SERVICE_API__MAX_STREAMS: String(PER_TENANT + 1),
    SERVICE_API__SPOOL_DIRECTORY: directory,
    SERVICE_API__MAX_BODY_SIZE: '100 MiB',
  });
  large = await newDomain(service);
  const lines = Array.from({ length: RECORDS }, (_, at) => `h${at} TXT ${TEXT}\n`);
  await large.import(lines.join(''));
});
afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

it('15.6 as many exports and checks as the options say are under way, for a tenant and in all', async () => {
  const other = await newDomain(service.as('tenant-b'));
  const third = await newDomain(service.as('tenant-c'));
  const unread = [await startExport('tenant-a', large), await startExport('tenant-a', large)];
  for (const request of [large.fetchFile(), service.call('get', `/v1/domains/${large.id}/check`)]) {
    const answer = await request;
    expectRefusal(answer, { status: 503, type: 'unavailable' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
  expectStatus(await other.fetchFile(), 200);
  unread.push(await startExport('tenant-c', large, 'admin'));
  await refusalOf(third.fetchFile(), 503, 'unavailable');
  for (const response of unread) response.destroy();
  await untilServed(large);
});

it('15.6 waiting for its reader leaves no file behind', async () => {
  const unread = await startExport('tenant-a', large);
  expect(await readdir(directory)).toEqual([]);
  unread.destroy();
  await untilServed(large);
});

it('15.6 a long export is no matter for the log', async () => {
  const place = await mkdtemp(join(tmpdir(), 'zonewright-long-export-'));
  const one = await startServiceProcess(place, environmentOf(place, SETTINGS_OF_LONG_EXPORTS));
  try {
    const domain = await newDomain(clientsOf(one.url));
    for (const records of [CHECKED_RECORDS / 10, 2 * CHECKED_RECORDS]) {
      await domain.import(Array.from({ length: records }, (_, at) => `h${at} A 192.0.2.1\n`).join(''));
      await answerOf(domain.fetchFile());
    }
  } finally {
    one.signal('SIGTERM');
    await one.ended;
    await removeTestData(place);
  }
  // Log lines about a slow machine do not concern the export; Node.js warns of listener leaks.
  expect((await one.ended).stderr).not.toMatch(/Warning|listeners/);
});

it('15.6 an export that finds no place to wait is refused, and a short one needs none', async () => {
  const short = await newDomain(service);
  // Earlier writes are still stored.
  await large.newRecord();
  await rm(directory, { recursive: true });
  await refusalOf(large.fetchFile(), 503, 'unavailable');
  await answerOf(short.fetchFile());
});

it('15.7 a check ends when its client disconnects', async () => {
  const many = await newDomain(service);
  const lines = Array.from({ length: CHECKED_RECORDS }, (_, at) => `h${at} MX 10 mail\n`);
  await many.import(`mail A 192.0.2.1\n${lines.join('')}`);
  const begun = performance.now();
  await many.check();
  const alone = performance.now() - begun;
  const gone = new AbortController();
  const headers = { 'X-Auth-Project-ID': 'tenant-a', 'X-Roles': 'member' };
  const checks = Array.from({ length: PER_TENANT }, () =>
    fetch(`${service.url}/v1/domains/${many.id}/check`, { headers, signal: gone.signal }),
  );
  await delay(50);
  gone.abort();
  await Promise.allSettled(checks);
  const left = performance.now();
  // Checks and exports of a tenant take turns: unfinished ones would come first.
  await untilServed(await newDomain(service));
  expect(performance.now() - left).toBeLessThan(alone);
});

/** An export without a reader. */
function startExport(tenant: string, { id }: TestDomain, role = 'member'): Promise<IncomingMessage> {
  const headers = { 'X-Auth-Project-ID': tenant, 'X-Roles': role, 'X-Auth-All-Projects': String(role === 'admin') };
  return new Promise((resolve, reject) => {
    get(`${service.url}/v1/domains/${id}/export`, { headers, agent: false }, (response) => {
      response.on('error', () => undefined);
      resolve(response);
    }).once('error', reject);
  });
}

/** A slot is free once the service notices the disconnect. */
async function untilServed(zone: TestDomain): Promise<void> {
  for (;;) {
    const { status } = await zone.fetchFile();
    if (status === 200) return;
    expect(status).toBe(503);
  }
}
