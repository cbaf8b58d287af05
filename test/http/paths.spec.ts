import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { expectRefusal, expectStatus } from '../support/answers.js';
import type { RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { sendRaw } from '../support/raw-http.js';
import { type Method, startTestService, type TestService } from '../support/service.js';

describe('paths and methods', () => {
  let service: TestService;
  let domain: TestDomain;
  let record: RecordBody;
  beforeAll(async () => {
    service = await startTestService();
    domain = await newDomain(service);
    record = await domain.newRecord();
  });
  afterAll(() => service.stop());

  const fill = (path: string) => path.replace('<domain_id>', domain.id).replace('<id>', record.id);

  const PATHS: readonly [path: string, allow: string][] = [
    ['/', 'GET, HEAD'],
    ['/v1', 'GET, HEAD'],
    ['/v1/domains', 'GET, HEAD, POST'],
    ['/v1/domains/<domain_id>', 'DELETE, GET, HEAD, PUT'],
    ['/v1/domains/<domain_id>/servers', 'GET, HEAD'],
    ['/v1/domains/<domain_id>/records', 'GET, HEAD, POST'],
    ['/v1/domains/<domain_id>/records/<id>', 'DELETE, GET, HEAD, PUT'],
    ['/domains', 'GET, HEAD, POST'],
    ['/domains/<domain_id>', 'DELETE, GET, HEAD, PUT'],
    ['/domains/<domain_id>/servers', 'GET, HEAD'],
    ['/domains/<domain_id>/records', 'GET, HEAD, POST'],
    ['/domains/<domain_id>/records/<id>', 'DELETE, GET, HEAD, PUT'],
    ['/openapi.json', 'GET, HEAD'],
    ['/openapi.yaml', 'GET, HEAD'],
    ['/docs', 'GET, HEAD'],
  ];
  const METHODS: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete', 'options'];

  it.each(PATHS)('1.5 answers 405 with Allow on %s to every method but %s', async (path, allow) => {
    for (const method of METHODS.filter((each) => !allow.split(', ').includes(each.toUpperCase()))) {
      const answer = await service.call(method, fill(path), method === 'post' ? {} : undefined);
      expectRefusal(answer, { status: 405, type: 'method_not_allowed', faults: [] });
      expect(answer.headers.allow).toBe(allow);
    }
  });

  it.each(['PROPFIND', 'TRACE', 'LOCK', 'SEARCH'])('1.5 answers 405 to %s', async (method) => {
    const answer = await sendRaw(service.url, `${method} /v1/domains HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(answer.status).toBe(405);
    expect(answer.text).toContain('\r\nAllow: GET, HEAD, POST\r\n');
  });

  it.each(PATHS)('1.5 answers HEAD on %s as GET, without a body', async (path) => {
    const [get, head] = [await service.call('get', fill(path)), await service.call('head', fill(path))];
    expectStatus(get, 200);
    expectStatus(head, 200);
    expect(head.text).toBeUndefined();
    expect(head.headers['content-type']).toBe(get.headers['content-type']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  it('1.5 answers HEAD on a path that is not there with 404 and no body', async () => {
    const answer = await service.call('head', '/v1/nothing');
    expectStatus(answer, 404);
    expect(answer.text).toBeUndefined();
  });

  it.each(PATHS.filter(([path]) => path !== '/'))('1.5 ignores a trailing slash on %s', async (path) => {
    const [without, withSlash] = [await service.call('get', fill(path)), await service.call('get', `${fill(path)}/`)];
    expectStatus(withSlash, 200);
    if (path !== '/docs') expect(withSlash.body).toEqual(without.body);
  });

  it.each([
    '/v3',
    '/v3/zones',
    '/v2/domains',
    '/v1/records',
    '/v1/domains/<domain_id>/nothing',
    '/v1/domains/<domain_id>/records/<id>/more',
    '/v1/v1/domains',
    '/v1//domains',
    '//v1/domains',
    '/v1/domains/<domain_id>/records/<id>//',
    '/v1/domains;x=1',
    '/favicon.ico',
    '/admin',
    '/.env',
    '/docs/../../../../etc/passwd',
    '/docs/%2e%2e/package.json',
    '/docs/..%2f..%2f..%2fpackage.json',
    '/%',
    '/v1/domains/%',
    '/v1/domains/%E0%A4%A',
    '/v1/domains/%C0%AE%C0%AE/records',
    '/docs/%',
    '/docs/%00',
    '/*',
  ])('1.5 answers 404 to %s with every method', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      // Not through a client, which would tidy the path up.
      const answer = await sendRaw(
        service.url,
        `${method} ${fill(path)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
      expect(answer.text).toContain('HTTP/1.1 404 Not Found\r\n');
      const [, body = ''] = answer.text.split('\r\n\r\n');
      expect(JSON.parse(body)).toMatchObject({ code: 404, type: 'not_found' });
    }
  });

  it('1.5 answers 404 where a route itself finds nothing', async () => {
    expectRefusal(await service.plain('get', '/docs/LICENSE'), { status: 404, type: 'not_found', faults: [] });
  });

  it('1.5 finds paths in any case as Express does, and answers with the canonical Location', async () => {
    const answer = await service.call('post', `/V1/Domains/${domain.id}/Records`, {
      name: `upper.${domain.name}`,
      type: 'A',
      data: '192.0.2.1',
    });
    expectStatus(answer, 200);
    expect(answer.headers.location).toBe(`${service.url}/v1/domains/${domain.id}/records/${answer.body.id}`);
  });

  it('1.1 accepts a request target that is an absolute URL', async () => {
    const target = `http://dns.example.org/v1/domains?limit=1`;
    const answer = await sendRaw(
      service.url,
      `GET ${target} HTTP/1.1\r\nHost: dns.example.org\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(`"self":"${target}"`);
  });

  it('1.5 answers the same 404 to an id in any wrong form', async () => {
    const bodies = new Set<string>();
    for (const id of [randomUUID(), 'x', '0'.repeat(32), '%FF', '%00', 'a'.repeat(8000), '__proto__', 'constructor']) {
      const answer = await service.call('get', `/v1/domains/${id}`);
      if (id === '%FF') expectRefusal(answer, { status: 404, type: 'not_found' });
      else bodies.add(JSON.stringify({ ...answer.body, request_id: '' }));
    }
    expect([...bodies]).toHaveLength(1);
  });
});
