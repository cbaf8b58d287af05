import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expectRefusal, expectStatus } from '../support/answers.js';
import { freshName, newDomain } from '../support/domain.js';
import { type ServiceProcess, startServiceProcess } from '../support/process.js';
import { collect, openSocket, receive, sendRaw } from '../support/raw-http.js';
import { ADMIN_TOKEN, clientsOf, environmentOf, startTestService, type TestService } from '../support/service.js';

const MIB = 2 ** 20;
const head = (target: string, ...headers: string[]) =>
  [`${target} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n');
const JSON_BODY = 'Content-Type: application/json';
const isAnswered = (text: string) => /HTTP\/1\.1 \d{3}[^]*\r\n\r\n\{.*\}/.test(text);

describe('bodies without end (attack case 75)', () => {
  let directory: string;
  let service: ServiceProcess;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
    const env = environmentOf(directory, {
      SERVICE_API__AUTH_STRATEGY: 'token',
      AUTH__ADMIN_TOKEN: ADMIN_TOKEN,
    });
    service = await startServiceProcess(directory, env);
  });
  afterAll(async () => {
    service.signal('SIGKILL');
    await service.ended;
    await rm(directory, { recursive: true });
  });

  const TOKEN = `X-Auth-Token: ${ADMIN_TOKEN}`;
  const residentMiB = () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(service.pid)])) / 1024;

  /** Bodies that are announced, and the status that answers before they arrive. */
  const ENDLESS: readonly [what: string, status: number, octets: string][] = [
    ['10 GB', 413, head('POST /v1/domains', TOKEN, JSON_BODY, 'Content-Length: 10000000000')],
    ['100 MB', 413, head('POST /v1/domains', TOKEN, JSON_BODY, 'Content-Length: 100000000')],
    ['one octet too many', 413, head('POST /v1/domains', TOKEN, JSON_BODY, `Content-Length: ${MIB + 1}`)],
    ['10 GB of another type', 415, head('POST /v1/domains', TOKEN, 'Content-Length: 10000000000')],
    ['10 GB without a credential', 401, head('POST /v1/domains', JSON_BODY, 'Content-Length: 10000000000')],
    ['10 GB to nowhere', 404, head('POST /nowhere', 'Content-Length: 10000000000')],
    ['10 GB with a wrong method', 405, head('PATCH /v1/domains', 'Content-Length: 10000000000')],
    ['10 GB with GET', 200, head('GET /v1/domains', TOKEN, 'Content-Length: 10000000000')],
  ];

  it('1.9 answers 413, 401 and similar before the body arrives, and then ends the connection', async () => {
    const answers = ENDLESS.map(async ([what, , octets]) => {
      const started = performance.now();
      const socket = openSocket(service.url);
      socket.write(`${octets}{"name":"`);
      const over = collect(socket, 5000);
      await receive(socket, isAnswered);
      const isPrompt = performance.now() - started < 1000;
      const { status, isClosed } = await over;
      return [what, status, isPrompt, isClosed];
    });
    expect(await Promise.all(answers)).toEqual(ENDLESS.map(([what, status]) => [what, status, true, true]));
  });

  it('1.9 answers 413 to chunked bodies without end, and the memory stays', async () => {
    const before = residentMiB();
    const answers = ['a', '1', '['].map(async (character) => {
      const socket = openSocket(service.url);
      socket.write(head('POST /v1/domains', TOKEN, JSON_BODY, 'Transfer-Encoding: chunked'));
      const over = collect(socket, 10_000);
      await sendForEver(socket, Buffer.from(`10000\r\n${character.repeat(65_536)}\r\n`));
      return over;
    });
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ status: 413, isClosed: true });
    expect(residentMiB() - before).toBeLessThan(64);
  });

  it('1.4 a gzip bomb: 415 without unpacking', async () => {
    const before = residentMiB();
    const bomb = gzipSync(Buffer.alloc(64 * MIB, '{'));
    const framing = ['Content-Encoding: gzip', `Content-Length: ${bomb.length}`, 'Connection: close'];
    const octets = head('POST /v1/domains', TOKEN, JSON_BODY, ...framing);
    const { status } = await sendRaw(service.url, Buffer.concat([Buffer.from(octets), bomb]));
    expect(status).toBe(415);
    expect(residentMiB() - before).toBeLessThan(32);
  });

  it('1.9 a body of exactly the limit is read, one octet more is not', async () => {
    const client = clientsOf(service.url);
    for (const [length, status] of [
      [MIB, 400],
      [MIB + 1, 413],
    ] as const) {
      const body = `{"name":"${'a'.repeat(length - 11)}"}`;
      expect(body).toHaveLength(length);
      const answer = await client.plain('post', '/v1/domains').set('X-Auth-Token', ADMIN_TOKEN).type('json').send(body);
      expectRefusal(answer, { status, type: status === 400 ? 'invalid_object' : 'payload_too_large' });
    }
  });

  it('1.9 a client that sends Expect gets 100 only when its body will be read', async () => {
    const expecting = (...headers: string[]) => head('POST /v1/domains', JSON_BODY, 'Expect: 100-continue', ...headers);
    for (const [octets, status] of [
      [expecting('Content-Length: 2'), 401],
      [expecting(TOKEN, 'Content-Length: 10000000000'), 413],
      [expecting(TOKEN, 'Accept: text/html', 'Content-Length: 2'), 406],
    ] as const) {
      const { text } = await sendRaw(service.url, octets, 200);
      expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    }
    const socket = openSocket(service.url);
    socket.write(expecting(TOKEN, 'Content-Length: 2', 'Connection: close'));
    const over = collect(socket);
    await receive(socket, (text) => text.startsWith('HTTP/1.1 100 Continue\r\n\r\n'));
    socket.write('{}');
    expect(await over).toMatchObject({ status: 400, isClosed: true });
  });

  it('1.9 a small body whose credential is refused costs the client no connection', async () => {
    const socket = openSocket(service.url);
    const over = collect(socket, 2000);
    socket.write(head('POST /v1/domains', JSON_BODY, 'Content-Length: 2'));
    await receive(socket, (text) => text.includes('401'));
    socket.write('{}');
    await delay(1300);
    socket.write(head('GET /', 'Connection: close'));
    const { text } = await over;
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['401', '200']);
  });
});

/** Writes as fast as the peer reads, until it closes. */
async function sendForEver(socket: Socket, chunk: Buffer): Promise<void> {
  while (socket.writable) {
    if (socket.write(chunk)) await new Promise(setImmediate);
    else await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), delay(50)]);
  }
}

describe('clients that take their time (attack case 77)', () => {
  let service: TestService;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await service.stop();
  });

  function open(count: number, ...words: string[]): void {
    for (let index = 0; index < count; index += 1) {
      // Elsewhere, since the requests under way of one address are bounded.
      const socket = openSocket(service.url, '127.0.0.2');
      sockets.push(socket);
      socket.resume();
      for (const word of words) socket.write(word);
    }
  }

  it('1.9 serves others promptly during slow headers, slow bodies and 500 idle connections', async () => {
    open(100, 'GET / HTTP/1.1\r\nHo');
    open(100, `${head('POST /v1/domains', JSON_BODY, 'Content-Length: 1000')}{"na`);
    open(500, head('GET /'));
    const drip = setInterval(() => sockets.slice(0, 200).forEach((socket) => socket.write('a')), 50);
    await delay(200);
    const times: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const started = performance.now();
      const domain = await newDomain(service, freshName());
      expectStatus(await service.call('get', `/v1/domains/${domain.id}`), 200);
      times.push(performance.now() - started);
    }
    clearInterval(drip);
    // Generous for slow machines; waiting for the slow clients would take twenty seconds.
    expect(Math.max(...times)).toBeLessThan(5000);
  });

  it('1.9 ends slow headers and slow bodies with 408 when their time is over', async () => {
    const server: Server = service.running.application.app.getHttpServer();
    expect(server.headersTimeout).toBeLessThanOrEqual(20_000);
    expect(server.requestTimeout).toBeLessThanOrEqual(60_000);
    server.headersTimeout = 300;
    server.requestTimeout = 600;
    const answers = await Promise.all([
      sendRaw(service.url, 'GET / HTTP/1.1\r\nHost: a\r\nX: ', 8000),
      sendRaw(service.url, `${head('POST /v1/domains', JSON_BODY, 'Content-Length: 1000')}{"na`, 8000),
    ]);
    for (const { status, text, isClosed } of answers) {
      expect({ status, isClosed }).toEqual({ status: 408, isClosed: true });
      expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 408, type: 'request_timeout' });
    }
  });
});
