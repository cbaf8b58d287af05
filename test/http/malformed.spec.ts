import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { contentsOf } from '../support/audit.js';
import { expectStatus, REQUEST_ID } from '../support/answers.js';
import { freshName, newDomain } from '../support/domain.js';
import { collect, openSocket, sendRaw } from '../support/raw-http.js';
import { startTestService, type TestService } from '../support/service.js';

const BODY = '{"name":"smuggled.example.org.","email":"hostmaster@example.org"}';
const SMUGGLED = `POST /v1/domains HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;
const get = (...headers: string[]) => ['GET / HTTP/1.1', ...headers, '', ''].join('\r\n');
const post = (...headers: string[]) =>
  ['POST /v1/domains HTTP/1.1', 'Host: a', 'Content-Type: application/json', ...headers, '', ''].join('\r\n');

/** Requests that two parsers could read differently: each hides a second one behind it. */
const SHAPES: readonly [what: string, octets: string | Buffer][] = [
  [
    'Content-Length and Transfer-Encoding',
    `${post('Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\n${SMUGGLED}`,
  ],
  [
    'Transfer-Encoding and Content-Length',
    `${post('Transfer-Encoding: chunked', 'Content-Length: 4')}0\r\n\r\n${SMUGGLED}`,
  ],
  ['two lengths', `${post('Content-Length: 0', `Content-Length: ${SMUGGLED.length}`)}${SMUGGLED}`],
  ['a list of lengths', `${post('Content-Length: 0, 5')}${SMUGGLED}`],
  ['a negative length', `${post('Content-Length: -1')}${SMUGGLED}`],
  ['a length with a sign', `${post('Content-Length: +0')}${SMUGGLED}`],
  ['a length in hexadecimal', `${post('Content-Length: 0x0')}${SMUGGLED}`],
  ['a length beyond 64 bits', `${post('Content-Length: 18446744073709551616')}${SMUGGLED}`],
  ['an unknown transfer coding', `${post('Transfer-Encoding: gzip')}${SMUGGLED}`],
  ['an unknown coding below chunked', `${post('Transfer-Encoding: gzip, chunked')}0\r\n\r\n${SMUGGLED}`],
  ['chunked twice', `${post('Transfer-Encoding: chunked, chunked')}0\r\n\r\n${SMUGGLED}`],
  ['two transfer codings', `${post('Transfer-Encoding: chunked', 'Transfer-Encoding: identity')}0\r\n\r\n${SMUGGLED}`],
  ['chunked behind a vertical tab', `${post('Transfer-Encoding: \x0bchunked')}0\r\n\r\n${SMUGGLED}`],
  ['a chunk size that is no number', `${post('Transfer-Encoding: chunked')}zz\r\n${BODY}\r\n0\r\n\r\n${SMUGGLED}`],
  ['a chunk longer than its size', `${post('Transfer-Encoding: chunked')}2\r\n{}xx\r\n0\r\n\r\n${SMUGGLED}`],
  ['a chunk ended by a bare LF', `${post('Transfer-Encoding: chunked')}2\n{}\n0\n\n${SMUGGLED}`],
  [
    '16 KiB of chunk extensions',
    `${post('Transfer-Encoding: chunked')}2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n${SMUGGLED}`,
  ],
  ['a folded header', `${get('Host: a', 'X-Folded: one', ' two')}${SMUGGLED}`],
  ['a first header that is folded', `GET / HTTP/1.1\r\n Host: a\r\n\r\n${SMUGGLED}`],
  ['bare LF everywhere', `GET / HTTP/1.1\nHost: a\n\n${SMUGGLED}`],
  ['a bare LF after one header', `GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n${SMUGGLED}`],
  ['a bare CR in a header', `${get('Host: a', 'X: y\rContent-Length: 9')}${SMUGGLED}`],
  ['a blank before the colon', `${get('Host : a')}${SMUGGLED}`],
  ['a header without a colon', `${get('Host: a', 'nothing')}${SMUGGLED}`],
  ['a header without a name', `${get('Host: a', ': nothing')}${SMUGGLED}`],
  ['NUL in a header', `${get('Host: a', 'X: \0')}${SMUGGLED}`],
  ['NUL in the target', `GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n${SMUGGLED}`],
  ['a blank in the target', `GET / v1 HTTP/1.1\r\nHost: a\r\n\r\n${SMUGGLED}`],
  ['a target that is not ASCII', Buffer.from(`GET /\u00ff HTTP/1.1\r\nHost: a\r\n\r\n${SMUGGLED}`, 'latin1')],
  ['no Host', `${get()}${SMUGGLED}`],
  ['two Hosts', `${get('Host: a', 'Host: b')}${SMUGGLED}`],
  ['a Host with a path', `${get('Host: a/b')}${SMUGGLED}`],
  ['a Host with a user', `${get('Host: a@b')}${SMUGGLED}`],
  ['a Host with a blank', `${get('Host: a b')}${SMUGGLED}`],
  ['a Host with markup', `${get('Host: "><script>')}${SMUGGLED}`],
  ['a target whose port cannot be', `GET http://a:99999/ HTTP/1.1\r\nHost: a\r\n\r\n${SMUGGLED}`],
  ['a target whose port is no number', `GET http://a:x/ HTTP/1.1\r\nHost: a\r\n\r\n${SMUGGLED}`],
  ['a target whose address is not closed', `GET http://[::1/ HTTP/1.1\r\nHost: a\r\n\r\n${SMUGGLED}`],
  ['a target of another scheme', `GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n${SMUGGLED}`],
  ['a target of two slashes and a port', `GET //a:99999/ HTTP/1.1\r\nHost: a\r\n\r\n${SMUGGLED}`],
  ['a list for an impossible target', `GET http://a:x/v1/domains?limit=1 HTTP/1.1\r\nHost: a\r\n\r\n${SMUGGLED}`],
  ['an empty transfer coding', `${post('Transfer-Encoding:')}0\r\n\r\n${SMUGGLED}`],
  ['an empty transfer coding and a length', `${post('Transfer-Encoding: ', 'Content-Length: 0')}${SMUGGLED}`],
  ['two Content-Types', `${post('Content-Type: text/plain', `Content-Length: ${BODY.length}`)}${BODY}${SMUGGLED}`],
  ['the same Content-Type twice', `${post('Content-Type: application/json', 'Content-Length: 0')}${SMUGGLED}`],
  ['an unknown method', `FETCH / HTTP/1.1\r\nHost: a\r\n\r\n${SMUGGLED}`],
  ['an unknown version', `GET / HTTP/9.9\r\nHost: a\r\n\r\n${SMUGGLED}`],
  ['HTTP/0.9', `GET /\r\n\r\n${SMUGGLED}`],
  ['the preface of HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${SMUGGLED}`],
  ['a TLS handshake', Buffer.from('16030100a5010000a10303', 'hex')],
  ['random octets', Buffer.from('fffefdfcfbfa00010203', 'hex')],
];

describe('requests that are not HTTP (attack case 93)', () => {
  let service: TestService;
  let stored: unknown;
  beforeAll(async () => {
    service = await startTestService();
    await newDomain(service);
    stored = contentsOf(service.databaseFile);
  });
  afterAll(() => service.stop());
  afterEach(async () => {
    expect(contentsOf(service.databaseFile)).toEqual(stored);
    expectStatus(await service.plain('get', '/'), 200);
  });

  /** Exactly one answer: the refusal. */
  function readRefusal(text: string): { status: number; headers: string; body: Record<string, unknown> } {
    expect(text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
    const [headers = '', body = ''] = text.split('\r\n\r\n');
    return { headers, body: JSON.parse(body), status: Number(headers.slice(9, 12)) };
  }

  it.each(SHAPES)('1.6 refuses %s with a request id and a JSON body, and closes', async (_, octets) => {
    const { text, isClosed } = await sendRaw(service.url, octets);
    expect(isClosed).toBe(true);
    const { headers, status, body } = readRefusal(text);
    expect([400, 413]).toContain(status);
    expect(headers).toMatch(/\r\nConnection: close(\r\n|$)/);
    expect(headers).toContain('\r\nCache-Control: no-store');
    expect(headers).toContain(`\r\nX-OpenStack-Request-ID: ${String(body.request_id)}`);
    expect(body).toEqual({
      code: status,
      type: status === 400 ? 'bad_request' : 'payload_too_large',
      reason: status === 400 ? 'bad_request' : 'payload_too_large',
      params: {},
      message: expect.any(String),
      request_id: expect.stringMatching(REQUEST_ID),
    });
  });

  it.each([
    ['one header', get('Host: a', `X: ${'x'.repeat(20_000)}`)],
    ['3,000 headers', get('Host: a', ...Array.from({ length: 3000 }, (_, index) => `X-${index}: y`))],
    ['201 short ones', get('Host: a', ...Array.from({ length: 200 }, () => 'a:'))],
    ['2,000 short ones', get('Host: a', ...Array.from({ length: 2000 }, () => 'a:'))],
    ['a Host behind the thousandth', get(...Array.from({ length: 2000 }, () => 'a:'), 'Host: a')],
    ['the target', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['a token of 64 kB', get('Host: a', `X-Auth-Token: ${'x'.repeat(65_536)}`)],
  ])('1.9 answers 431 to headers that are too large: %s', async (_, octets) => {
    const { text, isClosed } = await sendRaw(service.url, octets);
    expect(isClosed).toBe(true);
    expect(readRefusal(text).body).toMatchObject({ code: 431, type: 'headers_too_large' });
  });

  it('1.9 accepts 200 headers, and reads the last of them', async () => {
    const headers = ['Host: a', ...Array.from({ length: 198 }, () => 'a:'), 'X-Roles: ,'];
    const [first = ''] = get(...headers).split('\r\n\r\n');
    const answer = await sendRaw(
      service.url,
      `${first.replace('GET /', 'GET /v1/domains')}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.status).toBe(431);
    const fewer = await sendRaw(service.url, `${first.replace('GET /', 'GET /v1/domains')}\r\n\r\n`, 300);
    expect(fewer.status).toBe(401);
  });

  it.each(['/', '/v1/domains?limit=1', '/healthz', '/nothing'])('1.1 takes a whole URL as target: %s', async (path) => {
    const byPath = await sendRaw(service.url, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    for (const base of ['http://a', 'http://a:65535', 'https://[::1]:1', 'HTTP://a'])
      expect(
        (await sendRaw(service.url, `GET ${base}${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)).status,
      ).toBe(byPath.status);
  });

  it('1.5 closes a CONNECT without doing anything', async () => {
    const { text, isClosed } = await sendRaw(
      service.url,
      'CONNECT example.org:53 HTTP/1.1\r\nHost: example.org:53\r\n\r\n',
    );
    expect({ text, isClosed }).toEqual({ text: '', isClosed: true });
  });

  it('ignores an upgrade that it does not know, and an expectation', async () => {
    for (const headers of [['Connection: upgrade', 'Upgrade: websocket'], ['Expect: 200-ok']]) {
      const { text } = await sendRaw(service.url, get('Host: a', ...headers), 200);
      expect(text).toContain('HTTP/1.1 200 OK');
      expect(text).toMatch(/X-OpenStack-Request-ID: req-/);
    }
  });

  it('writes nothing into the middle of an answer: pipelined garbage ends the connection', async () => {
    const { text, isClosed } = await sendRaw(service.url, `${get('Host: a')}GARBAGE\r\n\r\n`);
    expect(isClosed).toBe(true);
    expect(text.match(/HTTP\/1\.1 \d/g)?.length ?? 0).toBeLessThanOrEqual(1);
    expect(text).not.toContain('bad_request');
  });

  it.each([
    ['letters', 'junk'],
    ['NUL', '\0'],
    ['half a request', 'GET / HTTP/9.9\r\n\r\n'],
    ['an object', '{}'],
  ])('1.4 answers a request before closing because of the data after it: %s', async (_, junk) => {
    const body = JSON.stringify({ name: freshName(), email: 'hostmaster@example.org' });
    const { text, isClosed } = await sendRaw(service.url, `${post(`Content-Length: ${body.length}`)}${body}${junk}`);
    expect(isClosed).toBe(true);
    expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200']);
    expect(text).toMatch(/\r\nConnection: close\r\n/);
    const { id } = JSON.parse(text.split('\r\n\r\n')[1] ?? '') as { id: string };
    expectStatus(await service.plain('delete', `/v1/domains/${id}`), 200);
    stored = contentsOf(service.databaseFile);
  });

  it('answers pipelined requests in their order', async () => {
    const { text } = await sendRaw(
      service.url,
      `GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /nothing HTTP/1.1\r\nHost: a\r\n\r\nGET /v1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '404', '200']);
  });

  it('survives clients that vanish at any point of a request', async () => {
    const whole = `${post(`Content-Length: ${BODY.length}`)}${BODY}`;
    const cuts = Array.from({ length: 20 }, (_, index) =>
      whole.slice(0, Math.floor((index * (whole.length - 1)) / 20)),
    );
    await Promise.all(
      cuts.map(async (part) => {
        const socket = openSocket(service.url);
        socket.write(part);
        const over = collect(socket, 100);
        setTimeout(() => socket.resetAndDestroy(), 20);
        await over;
      }),
    );
  });
});
