import { rename } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../support/sqlite.js';
import { answerOf, bodyOf, expectRefusal, refusalOf } from '../support/answers.js';
import { collect, openSocket } from '../support/raw-http.js';
import { startTestService, type TestService } from '../support/service.js';

const PATHS = ['/healthz', '/readyz'] as const;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ SERVICE_API__AUTH_STRATEGY: 'token' });
});
afterAll(() => service.stop());

describe.each(PATHS)('GET %s', (path) => {
  it('16.1, 16.2 says only ok to every caller', async () => {
    const answer = await answerOf(service.plain('get', path));
    expect(answer.body).toEqual({ status: 'ok' });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers).not.toHaveProperty('deprecation');
  });

  it('1.5 answers HEAD, and other methods with 405', async () => {
    await answerOf(service.plain('head', path));
    const answer = await service.plain('post', path);
    expectRefusal(answer, { status: 405, type: 'method_not_allowed' });
    expect(answer.headers.allow).toBe('GET, HEAD');
  });

  it('is no part of version 1', async () => {
    await refusalOf(service.plain('get', `/v1${path}`), 404, 'not_found');
  });

  it('is in the OpenAPI document', async () => {
    const { paths } = await bodyOf<{ paths: Record<string, unknown> }>(service.plain('get', '/openapi.json'));
    expect(paths).toHaveProperty([path, 'get', 'responses', '200']);
  });
});

describe('GET /healthcheck', () => {
  it.each(['text/plain', 'text/html', '*/*', 'image/png', 'text/plain, application/json'])(
    '16.6 is OK in plain text unless the caller prefers JSON: %s',
    async (accept) => {
      const answer = await answerOf(service.plain('get', '/healthcheck').set('Accept', accept));
      expect([answer.text, answer.headers['content-type']]).toEqual(['OK', 'text/plain; charset=utf-8']);
      expect(answer.headers['cache-control']).toBe('no-store');
      const head = await answerOf(service.plain('head', '/healthcheck').set('Accept', accept));
      expect(head.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'content-length': '2' });
    },
  );

  it.each(['application/json', 'application/json, text/plain;q=0.5'])(
    '16.6 is an object for a client that prefers JSON: %s',
    async (accept) => {
      const answer = await answerOf(service.plain('get', '/healthcheck').set('Accept', accept));
      expect(answer.body).toEqual({ detailed: false, reasons: ['OK'] });
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    },
  );

  it('16.6 is 405 for other methods, is in the OpenAPI document, and is not part of version 2', async () => {
    expectRefusal(await service.plain('post', '/healthcheck'), { status: 405, type: 'method_not_allowed' });
    const { paths } = await bodyOf<{ paths: Record<string, unknown> }>(service.plain('get', '/openapi.json'));
    expect(paths).toHaveProperty(['/healthcheck', 'get', 'responses', '503']);
    await answerOf(service.plain('get', '/v2/healthcheck'), 404);
  });
});

describe('GET /readyz', () => {
  async function expectNotReady(): Promise<void> {
    const answer = await service.plain('get', '/readyz');
    expectRefusal(answer, { status: 503, type: 'unavailable' });
    expect(answer.headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
    expect(answer.text).not.toMatch(/sqlite|migrat|schema|file|disk|terminus/i);
    const plain = await answerOf(service.plain('get', '/healthcheck'), 503);
    expect(plain.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'retry-after': '2' });
    expect(plain.text).toBe(answer.body.message);
    const json = await answerOf(service.plain('get', '/healthcheck').set('Accept', 'application/json'), 503);
    expect(json.body).toEqual({ detailed: false, reasons: [answer.body.message] });
    await answerOf(service.plain('get', '/healthz'));
  }

  it('16.2 is 503 while the schema is behind, and 200 once it is not', async () => {
    const database = new Database(service.databaseFile);
    // The service works without contractions.
    const latest = "SELECT MAX(id) FROM migrations WHERE name NOT LIKE 'Contract%'";
    const [last] = database.prepare(`SELECT * FROM migrations WHERE id = (${latest})`).raw().all() as [unknown[]];
    database.exec(`DELETE FROM migrations WHERE id = (${latest})`);
    await expectNotReady();
    database.prepare('INSERT INTO migrations VALUES (?, ?, ?)').run(last);
    database.close();
    await answerOf(service.plain('get', '/readyz'));
  });

  it('16.2 is 503 while the file is not the one that was opened, and 200 once it is', async () => {
    await rename(service.databaseFile, `${service.databaseFile}.aside`);
    await expectNotReady();
    await rename(`${service.databaseFile}.aside`, service.databaseFile);
    await answerOf(service.plain('get', '/readyz'));
  });

  it('16.2 answers many concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => service.plain('get', '/readyz')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('16.2 is 503 while the service stops, and /healthz is not', async () => {
    const other = await startTestService();
    const asked = PATHS.map((path) => {
      const socket = openSocket(other.url);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n`);
      return { socket, answer: collect(socket, 5000) };
    });
    await delay(200);
    const stopped = other.stop();
    // On a busy machine, the stop begins late.
    await delay(500);
    for (const { socket } of asked) socket.write('\r\n');
    const [alive, ready] = await Promise.all(asked.map(({ answer }) => answer));
    expect([alive?.status, ready?.status]).toEqual([200, 503]);
    expect(ready?.text).toMatch(/\r\nretry-after: [1-9]/i);
    await stopped;
  });
});
