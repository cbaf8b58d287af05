import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { expectStatus } from '../support/answers.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const DOCUMENTS = [
  ['/docs', 'text/html; charset=utf-8', 'no-cache'],
  ['/docs/', 'text/html; charset=utf-8', 'no-cache'],
  ['/docs/swagger-ui-init.js', 'application/javascript; charset=utf-8', 'no-cache'],
  ['/openapi.json', 'application/json; charset=utf-8', 'no-cache'],
  ['/openapi.yaml', 'text/yaml; charset=utf-8', 'no-cache'],
  ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8', 'public, max-age=3600'],
  ['/docs/swagger-ui.css', 'text/css; charset=utf-8', 'public, max-age=3600'],
  ['/docs/favicon-32x32.png', 'image/png', 'public, max-age=3600'],
] as const;

it.each(DOCUMENTS)(
  '1.10 %s has an entity tag, and answers 304 to a client that has it',
  async (path, type, caching) => {
    const first = await service.plain('get', path).buffer(true);
    const again = await service.plain('get', path).buffer(true);
    for (const answer of [first, again]) {
      expectStatus(answer, 200);
      expect(answer.headers).toMatchObject({ 'content-type': type, 'cache-control': caching });
      expect(answer.headers['x-openstack-request-id']).toMatch(/^req-/);
    }
    expect([again.text, again.body]).toEqual([first.text, first.body]);
    const { etag } = first.headers;
    expect(again.headers.etag).toBe(etag);
    const known = await service.plain('get', path).set('If-None-Match', String(etag));
    expectStatus(known, 304);
    expect(known.headers.etag).toBe(etag);
    expectStatus(await service.plain('get', path).set('If-None-Match', '"another"'), 200);
    const head = await service.plain('head', path);
    expectStatus(head, 200);
    expect(head.headers['content-length']).toBe(first.headers['content-length']);
  },
);

it('1.10 ignores the letter case of a path, with one copy for all', async () => {
  const { headers } = await service.plain('get', '/openapi.json');
  expect((await service.plain('get', '/OpenAPI.JSON')).headers.etag).toBe(headers.etag);
});

it('1.10 answers 404 to unknown documents', async () => {
  for (const path of ['/docs/nothing.js', '/docs/LICENSE', '/docs/..%2fpackage.js'])
    expectStatus(await service.plain('get', path), 404);
  expectStatus(await service.plain('post', '/openapi.json'), 405);
});
