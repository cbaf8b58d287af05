import { get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { expectRefusal, expectStatus } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { collect, openSocket, receive } from '../support/raw-http.js';
import { seedRecords } from '../support/seed.js';
import { type Settings, startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

jest.setTimeout(180_000);

/** Milliseconds that a busy machine may need for an immediate result. */
const PATIENCE = 60_000;
/** Together more octets than the sockets between the two hold. */
const LONG = 3000;
const TEXT = 'x'.repeat(2200);
const ADMIN = 'X-Auth-Project-ID: tenant-a\r\nX-Roles: admin\r\n';
const ELSEWHERE = '127.0.0.2';

let service: TestService;
let long: TestDomain;
const sockets: Socket[] = [];

function withService(settings: Settings): void {
  beforeAll(async () => {
    service = await startTestService(settings);
    long = await newDomain(service);
    seedRecords(service.databaseFile, long.id, LONG, TEXT);
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(() => service.stop());
}

function open(localAddress?: string): Socket {
  const socket = openSocket(service.url, localAddress);
  sockets.push(socket);
  return socket;
}

const getting = (path: string, ...headers: string[]) =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\n${ADMIN}${headers.map((header) => `${header}\r\n`).join('')}\r\n`;
const listing = () => getting(`/v1/domains/${long.id}/records`);

function creating(name: string): string {
  const body = JSON.stringify({ name, email: 'hostmaster@example.org' });
  const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `POST /v1/domains HTTP/1.1\r\nHost: a\r\n${ADMIN}${headers}\r\n${body}`;
}

/** A connection with the beginning of a long list; the rest stays unread. */
async function unreadList(localAddress?: string, behind = ''): Promise<Socket> {
  const socket = open(localAddress);
  socket.write(listing() + behind);
  await receive(socket, (text) => text.includes('"records":['));
  return socket.pause();
}

async function domainNames(): Promise<string[]> {
  const answer = await service.call('get', '/v1/domains');
  expectStatus(answer, 200);
  return (answer.body as { domains: { name: string }[] }).domains.map(({ name }) => name);
}

/** The status of a GET of `/` from another address of this machine. */
function statusFrom(localAddress: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(service.url, { localAddress, agent: false }, (answer: IncomingMessage) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on('error', reject);
  });
}

describe('pipelined requests', () => {
  withService({ SERVICE_API__MAX_PIPELINED_REQUESTS: '8' });

  it('1.9 begin only after the previous answer was read', async () => {
    const socket = await unreadList(undefined, creating('behind.example.org.') + getting('/'));
    await delay(300);
    expect(await domainNames()).not.toContain('behind.example.org.');
    const answered = receive(socket, (text) => text.includes('"versions"'));
    socket.resume();
    await answered;
    expect(await domainNames()).toContain('behind.example.org.');
  });

  it('1.9 close the connection above the limit, and none of the queued requests runs', async () => {
    const socket = open(ELSEWHERE);
    const over = collect(socket, PATIENCE);
    const flood = Array.from({ length: 9 }, (_, at) => creating(`flood${at}.example.org.`));
    socket.write(listing() + flood.join(''));
    expect(await over).toMatchObject({ isClosed: true });
    expect((await domainNames()).filter((name) => name.startsWith('flood'))).toEqual([]);
  });

  it('1.9 are answered in order up to the configured limit', async () => {
    const socket = open();
    const names = Array.from({ length: 8 }, (_, at) => `polite${at}.example.org.`);
    const answered = receive(socket, (text) => text.includes(names[7]!));
    socket.write(getting('/') + names.map(creating).join(''));
    const text = await answered;
    expect([...text.matchAll(/"name":"(polite[^"]+)"/g)].map(([, name]) => name)).toEqual(names);
  });
});

describe('a client with too many concurrent requests', () => {
  withService({ SERVICE_API__MAX_PIPELINED_REQUESTS: '8', SERVICE_API__TRUSTED_PROXIES: '127.0.0.3' });

  it('1.9 loses its idle connections and is accepted again after five seconds; others are not affected', async () => {
    const idle = open();
    const busy = await unreadList();
    const flood = open();
    const over = [collect(idle, PATIENCE), collect(flood, PATIENCE)];
    flood.write(listing() + getting('/').repeat(9));
    for (const { isClosed } of await Promise.all(over)) expect(isClosed).toBe(true);
    expect(await collect(open(), PATIENCE)).toMatchObject({ isClosed: true });
    expect(await statusFrom(ELSEWHERE)).toBe(200);
    expect(busy.destroyed).toBe(false);
    const isTaken = () =>
      service.call('get', '/').then(
        ({ status }) => status === 200,
        () => false,
      );
    await until(isTaken, PATIENCE);
  });

  it('1.9 loses one connection where it is a trusted proxy', async () => {
    const flood = open('127.0.0.3');
    const over = collect(flood, PATIENCE);
    flood.write(listing() + getting('/').repeat(9));
    expect(await over).toMatchObject({ isClosed: true });
    expect(await statusFrom('127.0.0.3')).toBe(200);
  });
});

describe('requests in progress', () => {
  withService({ SERVICE_API__MAX_REQUESTS_PER_ADDRESS: '2', SERVICE_API__TRUSTED_PROXIES: '127.0.0.3' });

  it('1.9 wait above the limit of an address and get 503 after ten seconds; health does not wait', async () => {
    await unreadList();
    await unreadList();
    const asked = performance.now();
    const order: string[] = [];
    const waiting = service
      .call('get', '/v1/domains')
      .set('Accept', 'application/problem+json')
      .then((answer) => {
        order.push('waited');
        return answer;
      });
    const another = service.call('get', '/v1/domains').then((answer) => answer);
    expectStatus(await service.plain('get', '/healthz'), 200);
    expectStatus(await service.plain('get', '/readyz'), 200);
    expect(await statusFrom(ELSEWHERE)).toBe(200);
    expect(order).toEqual([]);
    const answer = await waiting;
    expect(performance.now() - asked).toBeGreaterThan(9900);
    expectStatus(answer, 503);
    expect(answer.body).toMatchObject({ type: 'urn:zonewright:error:unavailable' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expectRefusal(await another, { status: 503, type: 'unavailable' });
  });

  it('1.9 begin when an earlier one ends, read or abandoned', async () => {
    const [one, other] = [await unreadList(), await unreadList()];
    const waiting = [service.call('get', '/'), service.call('get', '/')].map((test) =>
      test.then(({ status }) => status),
    );
    await delay(100);
    one.resetAndDestroy();
    expect(await Promise.all(waiting)).toEqual([200, 200]);
    other.resume();
    expectStatus(await service.call('get', '/'), 200);
  });

  it('1.9 of a trusted proxy count for its clients', async () => {
    const from = (client: string) => getting('/', `X-Forwarded-For: ${client}`);
    const held = [open('127.0.0.3'), open('127.0.0.3')];
    for (const socket of held) {
      socket.write(listing().replace('\r\n\r\n', '\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n'));
      await receive(socket, (text) => text.includes('"records":['));
      socket.pause();
    }
    const [same, another] = [open('127.0.0.3'), open('127.0.0.3')];
    let sameHas = '';
    same.on('data', (chunk: Buffer) => (sameHas += chunk.toString()));
    same.write(from('192.0.2.1'));
    const answered = receive(another, (text) => text.includes('"versions"'));
    another.write(from('192.0.2.2'));
    expect(await answered).toMatch(/^HTTP\/1\.1 200 /);
    expect(sameHas).toBe('');
  });
});

describe('connections', () => {
  withService({ SERVICE_API__MAX_CONNECTIONS: '6' });

  it('1.9 beyond the bound cost the address that has most of them its oldest idle one', async () => {
    const idle = [open(), open(), open(), open(), open()];
    const closed: number[] = [];
    idle.forEach((socket, at) => socket.once('close', () => closed.push(at)));
    for (const socket of idle) {
      socket.write(getting('/'));
      await receive(socket, (text) => text.includes('"versions"'));
    }
    expect(await statusFrom(ELSEWHERE)).toBe(200);
    const busy = await unreadList(ELSEWHERE);
    expect(closed).toEqual([]);
    expect(await statusFrom(ELSEWHERE)).toBe(200);
    await until(() => closed.length > 0, PATIENCE);
    expect(closed).toEqual([0]);
    expect(busy.destroyed).toBe(false);
  });

  it('1.9 beyond the bound are not accepted from the address that has most of them, all of them busy', async () => {
    const busy = await Promise.all(Array.from({ length: 6 }, () => unreadList()));
    const seventh = open();
    expect(await collect(seventh, PATIENCE)).toMatchObject({ isClosed: true, text: '' });
    expect(busy.map(({ destroyed }) => destroyed)).not.toContain(true);
  });
});

describe('answers that wait for their reader', () => {
  withService({ SERVICE_API__READ_TIMEOUT: '2' });

  it('1.9 are disconnected when unread, not while being read', async () => {
    const unread = await unreadList();
    const slow = await unreadList();
    const isCutOff = new Promise((resolve) => unread.once('close', resolve));
    const end = receive(slow, (text) => text.endsWith(']}\r\n0\r\n\r\n'));
    const reading = setInterval(() => {
      slow.resume();
      setTimeout(() => slow.pause(), 5);
    }, 200);
    // Only a reader sees the end of a connection.
    setTimeout(() => unread.resume(), 5000);
    await Promise.all([isCutOff, end]);
    clearInterval(reading);
  });

  it('1.9 are not missed where nothing waits: a connection without a request stays', async () => {
    const socket = open();
    await delay(3000);
    socket.write(getting('/', 'Connection: close'));
    expect(await collect(socket, PATIENCE)).toMatchObject({ status: 200 });
  });
});
