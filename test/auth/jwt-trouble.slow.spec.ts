import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { answerOf, expectRefusal, expectStatus } from '../support/answers.js';
import { temporaryDirectories } from '../support/directory.js';
import { samplesIn, sumOf } from '../support/metrics.js';
import { type IssuerKey, newKey, OidcIssuer } from '../support/oidc-issuer.js';
import { startServiceProcess } from '../support/process.js';
import { ADMIN_TOKEN, environmentOf, startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

const DISCOVERY = '/.well-known/openid-configuration';
const AUDIENCE = 'https://dns.example.org';
const DURATIONS = 'zonewright_identity_provider_duration_seconds_count';
/** In milliseconds: longer than the service waits. */
const SLOW = 60_000;

type Part = 'discovery' | 'keys';

let server: Server;
let url: string;
let service: TestService;
let key: IssuerKey;
beforeAll(async () => {
  key = await newKey('ES256');
});
afterEach(async () => {
  await service.stop();
  server.closeAllConnections();
  server.close();
});

const json = (response: ServerResponse, body: unknown) =>
  void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

/** An issuer whose discovery or keys, whichever is named, are answered otherwise than they should be. */
async function start(strange: Partial<Record<Part, RequestListener>>): Promise<void> {
  server = createServer((request, response) => {
    const isDiscovery = request.url === DISCOVERY;
    const listener = isDiscovery ? strange.discovery : strange.keys;
    if (listener !== undefined) listener(request, response);
    else json(response, isDiscovery ? { issuer: url, jwks_uri: `${url}/keys` } : { keys: [key.publicJwk] });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service = await startTestService({
    SERVICE_API__AUTH_STRATEGY: 'token, jwt',
    AUTH__ADMIN_TOKEN: ADMIN_TOKEN,
    JWT__ISSUER: url,
    JWT__AUDIENCE: AUDIENCE,
    JWT__ALGORITHMS: 'ES256',
    JWT__KEYS_COOLDOWN: '1',
  });
}

const token = () =>
  new SignJWT({ tenant_id: 'demo', roles: ['member'] })
    .setProtectedHeader({ alg: 'ES256', kid: key.kid })
    .setIssuer(url)
    .setAudience(AUDIENCE)
    .setExpirationTime('1h')
    .sign(key.privateKey);

const list = async () => service.plain('get', '/v1/domains').set('X-Auth-Token', await token());

const FAILURES: readonly [what: string, listener: RequestListener][] = [
  ['fails', (_, response) => response.writeHead(500).end()],
  ['is not there', (_, response) => response.writeHead(404).end('{"keys":[]}')],
  [
    'is another program',
    (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html></html>'),
  ],
  ['is null', (_, response) => json(response, null)],
  ['is of another form', (_, response) => json(response, { keys: 'x', issuer: 7, jwks_uri: [] })],
  ['sends us elsewhere', (_, response) => response.writeHead(302, { Location: `${url}/other` }).end()],
  ['hangs up', (request) => request.socket.destroy()],
  ['never ends', (_, response) => endless(response)],
];

/** Each takes as long as the service waits. */
const SILENCES: readonly (readonly [what: string, part: Part, listener: RequestListener])[] = [
  ['discovery stops in the middle', 'discovery', (_, response) => void response.writeHead(200).write('{"issuer"')],
  ['list of keys is not answered', 'keys', () => undefined],
];

/** Blanks, as fast as they are taken. */
function endless(response: ServerResponse): void {
  const blanks = Buffer.alloc(65_536, ' ');
  const write = () => {
    while (!response.destroyed && response.write(blanks));
  };
  response.on('drain', write);
  write();
}

describe('14.3 an issuer in trouble', () => {
  const CASES = [
    ...FAILURES.map(([what, listener]) => [`list of keys ${what}`, 'keys', listener] as const),
    ...SILENCES,
  ];
  it.each(CASES)(
    '14.3 whose %s is 503 in bounded time, without a sign-in',
    async (_, part, listener) => {
      await start({ [part]: listener });
      const since = performance.now();
      expectRefusal(await list(), { status: 503, type: 'unavailable' });
      expect(performance.now() - since).toBeLessThan(20_000);
      // The other strategy is not affected.
      await answerOf(service.plain('get', '/v1/domains').set('X-Auth-Token', ADMIN_TOKEN));
    },
    SLOW,
  );

  it.each([
    ['names another issuer', () => ({ issuer: 'https://issuer.example.org', jwks_uri: `${url}/keys` })],
    ['names itself with a slash', () => ({ issuer: `${url}/`, jwks_uri: `${url}/keys` })],
    ['names no issuer', () => ({ jwks_uri: `${url}/keys` })],
    ['has no keys', () => ({ issuer: url })],
    [
      'has its keys where anybody on the way may change them',
      () => ({ issuer: url, jwks_uri: 'http://192.0.2.1/keys' }),
    ],
    ['has its keys in a file', () => ({ issuer: url, jwks_uri: 'file:///etc/keys.json' })],
    ['has its keys at no URL', () => ({ issuer: url, jwks_uri: '/keys' })],
  ])('14.3 whose document %s is rejected', async (_, document) => {
    await start({ discovery: (_request, response) => json(response, document()) });
    expectRefusal(await list(), { status: 503, type: 'unavailable' });
  });

  it('14.3 is asked at most once per second by persistent callers', async () => {
    let asked = 0;
    const fail: RequestListener = (_, response) => {
      asked += 1;
      response.writeHead(500).end();
    };
    await start({ discovery: fail });
    const since = performance.now();
    for (let at = 0; at < 100; at += 1) expectStatus(await list(), 503);
    const elapsed = (performance.now() - since) / 1000;
    expect(asked).toBeLessThanOrEqual(1 + Math.ceil(elapsed));
  });

  it('14.3 that recovers is trusted again', async () => {
    let isBroken = true;
    const keys: RequestListener = (_, response) => {
      if (isBroken) response.writeHead(503).end();
      else json(response, { keys: [key.publicJwk] });
    };
    await start({ keys });
    expectStatus(await list(), 503);
    isBroken = false;
    await until(async () => (await list()).status === 200);
    const page = await answerOf(service.plain('get', '/metrics').set('X-Auth-Token', ADMIN_TOKEN));
    const labels = { provider: 'issuer', request: 'keys', result: 'answered' };
    expect(sumOf(samplesIn(page.text), DURATIONS, labels)).toBeGreaterThan(1);
  });

  it.each([
    ['are none', () => []],
    ['are shared secrets', () => [{ kty: 'oct', kid: key.kid, k: Buffer.from('x'.repeat(32)).toString('base64url') }]],
    ['are broken', () => [{ ...key.publicJwk, x: 'AAAA' }]],
    ['are for encryption', () => [{ ...key.publicJwk, use: 'enc' }]],
    ['are private', () => [key.privateJwk]],
    ['have one name', () => [key.publicJwk, key.publicJwk]],
  ])('14.3 whose keys %s signs no one in', async (_, keys) => {
    await start({ keys: (_request, response) => json(response, { keys: keys() }) });
    expectRefusal(await list(), { status: 401, type: 'access_denied' });
  });
});

describe('16.4 the log of tokens of an issuer', () => {
  const newDirectory = temporaryDirectories();

  it(
    '16.4, 14.3 has no token, valid or not, and says why one was refused',
    async () => {
      const issuer = await OidcIssuer.start();
      await start({});
      try {
        const directory = await newDirectory();
        const settings = { ...issuer.settings, LOG__LEVEL: 'debug', LOG__FORMAT: 'json' };
        const running = await startServiceProcess(directory, environmentOf(directory, settings));
        const tokens = [await issuer.tokenOf('demo'), await issuer.sign({ aud: 'another' }), await token()];
        const asked = tokens.flatMap((sent) => [{ 'X-Auth-Token': sent }, { Authorization: `Bearer ${sent}` }]);
        for (const headers of asked) await (await fetch(`${running.url}/v1/domains`, { headers })).text();
        running.signal('SIGTERM');
        const { stdout, stderr } = await running.ended;
        const log = stdout + stderr;
        expect(log).toMatch(/a JWT is refused: unexpected .{0,3}aud/);
        for (const part of tokens.flatMap((sent) => sent.split('.'))) expect(log).not.toContain(part);
      } finally {
        await issuer.stop();
      }
    },
    SLOW,
  );
});
