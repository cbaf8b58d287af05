import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import { ConfigError, exampleConfiguration } from 'zonewright';
import { startTestService, type TestConfig, type TestService } from 'zonewright/testing';
import plugin from '../src/index.js';

/** The current response of the other system, and the requested paths. */
let answer: RequestListener = () => undefined;
let asked: (string | undefined)[] = [];
const billing = createServer((request, response) => {
  asked.push(request.url);
  answer(request, response);
});
let url = '';

before(async () => {
  billing.listen(0, '127.0.0.1');
  await once(billing, 'listening');
  url = `http://127.0.0.1:${(billing.address() as AddressInfo).port}/v1`;
});
after(() => {
  billing.closeAllConnections();
  billing.close();
});

let service: TestService | null = null;
afterEach(async () => {
  await service?.close();
  service = null;
  asked = [];
});

const saying =
  (body: unknown, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

/**
 * A service with the plugin and a zone of the tenant; returns a function that creates a record and returns the status.
 */
async function start(options: TestConfig[string] = {}, tenant = 'acme'): Promise<(name: string) => Promise<number>> {
  service = await startTestService({
    plugins: [plugin],
    config: { 'plugin:billing-limits': { url, time_limit_ms: 10_000, fallback_records: 1, ...options } },
  });
  const client = service.client.as({ tenant });
  const zone = { name: 'example.org.', email: 'hostmaster@example.org' };
  const { id } = (await client.post('/v1/domains', zone)).expect(200).json;
  return async (name) => {
    const record = { name: `${name}.example.org.`, type: 'A', data: '192.0.2.1' };
    return (await client.post(`/v1/domains/${id}/records`, record)).status;
  };
}

describe('limits that another system keeps', () => {
  it('hold, and are asked for once', async () => {
    answer = saying({ records_per_zone: 2 });
    const create = await start({}, 'a/b');
    assert.deepEqual([await create('one'), await create('two'), await create('three')], [200, 200, 413]);
    assert.deepEqual(asked, ['/v1/tenants/a%2Fb/limits']);
  });

  it('are none where it says so', async () => {
    answer = saying({ records_per_zone: null });
    const create = await start();
    assert.deepEqual([await create('one'), await create('two')], [200, 200]);
  });

  const troubles: readonly (readonly [what: string, answer: RequestListener])[] = [
    ['never answers', () => undefined],
    ['breaks off', (request) => request.socket.destroy()],
    ['answers 500', saying({}, 500)],
    ['answers something else', saying({ records_per_zone: 'many' })],
    ['answers nothing', saying(null)],
  ];
  for (const [what, trouble] of troubles)
    it(`use the fallback while it ${what}, and pause requests for a while`, async () => {
      answer = trouble;
      const create = await start({ time_limit_ms: 100, retry_seconds: 3600 });
      assert.deepEqual([await create('one'), await create('two')], [200, 413]);
      assert.equal(asked.length, 1);
    });

  it('hold again as soon as it is asked again', async () => {
    answer = saying({}, 503);
    const create = await start({ retry_seconds: 0 });
    assert.deepEqual([await create('one'), await create('two')], [200, 413]);
    answer = saying({ records_per_zone: 2 });
    assert.deepEqual([await create('two'), await create('three')], [200, 413]);
  });
});

describe('options', () => {
  it('are refused where they are not allowed', async () => {
    const refused: TestConfig[string][] = [
      { url: 'ftp://example.org/' },
      { time_limit_ms: 0 },
      { fallback_records: -1 },
    ];
    for (const options of refused) await assert.rejects(start(options), ConfigError);
  });

  it('are documented', () => {
    const documented = readFileSync(new URL('../../zonewright.conf.example', import.meta.url), 'utf8');
    assert.ok(documented.endsWith(exampleConfiguration(plugin)), exampleConfiguration(plugin));
  });
});
