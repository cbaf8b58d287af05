import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { expectRefusal, expectStatus } from '../support/answers.js';
import { startTestService, type TestService } from '../support/service.js';

/** Servers in the place of Keystone with failures that a real Keystone cannot be made to show. */
const STRANGERS: readonly [what: string, listener: RequestListener][] = [
  ['fails', (_, response) => response.writeHead(500).end()],
  ['has too much to do', (_, response) => response.writeHead(429).end()],
  [
    'is another program',
    (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html></html>'),
  ],
  [
    'says nothing of when the token ends',
    (_, response) => response.writeHead(200).end('{"token":{"project":{"id":"x"}}}'),
  ],
  ['answers an invalid token', (_, response) => response.writeHead(200).end('{"token":[null,{"expires_at":1}]}')],
  ['sends us elsewhere', (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end()],
  ['hangs up', (request) => request.socket.destroy()],
  ['stops in the middle', (_, response) => void response.writeHead(200, { 'Content-Length': '100' }).write('{"token"')],
  ['does not answer', () => undefined],
];
/** In milliseconds: longer than the service waits. */
const SLOW = 30_000;

describe('14.1 a Keystone in trouble', () => {
  let server: Server;
  let service: TestService;
  afterEach(async () => {
    await service.stop();
    server.closeAllConnections();
    server.close();
  });

  async function start(listener: RequestListener): Promise<void> {
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    service = await startTestService({
      SERVICE_API__AUTH_STRATEGY: 'keystone',
      KEYSTONE_AUTHTOKEN__AUTH_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    });
  }

  const list = () => service.plain('get', '/v1/domains').set('X-Auth-Token', 'a-token');

  it.each(STRANGERS)(
    '14.1 that %s is 503 in bounded time, without a sign-in',
    async (_, listener) => {
      await start(listener);
      const since = performance.now();
      expectRefusal(await list(), { status: 503, type: 'unavailable' });
      expect(performance.now() - since).toBeLessThan(15_000);
    },
    SLOW,
  );

  it('14.1 that hangs up once is asked again', async () => {
    let asked = 0;
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const token = { expires_at: expiresAt, project: { id: 'x' }, roles: [{ name: 'Member' }], user: { name: 'one' } };
    await start((request, response) => {
      asked += 1;
      if (asked === 1) request.socket.destroy();
      else response.writeHead(200).end(JSON.stringify({ token }));
    });
    expectStatus(await list(), 200);
    expectStatus(await list(), 200);
    expect(asked).toBe(2);
  });
});
