import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectStatus } from '../support/answers.js';
import { startTestService, type TestService } from '../support/service.js';

/** Paths of all version 2 operations. */
const PATHS = Object.keys(
  (JSON.parse(readFileSync('docs/openapi-v2.json', 'utf8')) as { paths: Record<string, object> }).paths,
)
  .filter((path) => path.startsWith('/v2'))
  .map((path) => path.replaceAll(/\{\w+\}/g, randomUUID()));
const DEPRECATED = '@1430352000';

describe('the list of versions', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ SERVICE_API__AUTH_STRATEGY: 'token' });
  });
  afterAll(() => service.stop());

  it('1.2 is answered without credentials', async () => {
    const answer = await service.plain('get', '/');
    expectStatus(answer, 200);
    const v1 = { id: 'v1', status: 'DEPRECATED', links: [{ href: `${service.url}/v1`, rel: 'self' }] };
    const links = [{ href: `${service.url}/v2`, rel: 'self' }];
    const v2 = [
      { id: 'v2', status: 'SUPPORTED', links },
      { id: 'v2.1', status: 'CURRENT', links },
      { id: 'v2.0', status: 'SUPPORTED', links },
    ];
    expect(answer.body).toEqual({ versions: { values: [v1, ...v2] } });
    expect((await service.plain('get', '/v1')).body).toEqual({ version: v1 });
    expect((await service.plain('get', '/v2')).body).toEqual({ version: v2[1] });
    expect((await service.plain('get', '/v2/')).body).toEqual({ version: v2[1] });
  });

  it('1.2 has links to where the client has found it', async () => {
    const answer = await service.plain('get', '/').set('Host', 'dns.example.org:8080');
    const { versions } = answer.body as { versions: { values: { links: { href: string }[] }[] } };
    const hrefs = versions.values.map(({ links }) => links[0]?.href);
    expect(new Set(hrefs)).toEqual(new Set(['http://dns.example.org:8080/v1', 'http://dns.example.org:8080/v2']));
  });

  it.each(['/v1', '/v1/', '/v1/domains', '/domains', '/v1/nothing'])(
    '1.2 says on %s that version 1 is deprecated (RFC 9745)',
    async (path) => {
      expect((await service.plain('get', path)).headers.deprecation).toBe(DEPRECATED);
    },
  );

  it.each(['/', '/v2', '/v2/zones', '/openapi.json', '/docs', '/nothing', '/domainsx', '/v10'])(
    '1.2 says nothing of that on %s',
    async (path) => {
      expect((await service.plain('get', path)).headers).not.toHaveProperty('deprecation');
    },
  );
});

describe('the Deprecation header switched off', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ SERVICE_API__V1_DEPRECATION_HEADER: 'False' });
  });
  afterAll(() => service.stop());

  it('1.2 is not sent', async () => {
    const answer = await service.call('get', '/v1/domains');
    expectStatus(answer, 200);
    expect(answer.headers).not.toHaveProperty('deprecation');
  });
});

describe('version 2 switched off', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ SERVICE_API__ENABLE_API_V2: 'False' });
  });
  afterAll(() => service.stop());

  it('1.2 is not listed and has no paths', async () => {
    const { body } = await service.plain('get', '/');
    expect((body as { versions: { values: { id: string }[] } }).versions.values.map(({ id }) => id)).toEqual(['v1']);
    for (const path of ['/openapi-v2.json', ...PATHS]) expectStatus(await service.call('get', path), 404);
  });
});
