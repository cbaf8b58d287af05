import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectStatus } from '../support/answers.js';
import { startTestService, type TestService } from '../support/service.js';

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
    const links = [{ href: `${service.url}/v1`, rel: 'self' }];
    expect(answer.body).toEqual({ versions: { values: [{ id: 'v1', status: 'DEPRECATED', links }] } });
    const described = await service.plain('get', '/v1');
    expect(described.body).toEqual({ version: { id: 'v1', status: 'DEPRECATED', links } });
  });

  it.each(['/v1', '/v1/', '/v1/domains', '/domains', '/v1/nothing'])(
    '1.2 says on %s that version 1 is deprecated (RFC 9745)',
    async (path) => {
      expect((await service.plain('get', path)).headers.deprecation).toBe(DEPRECATED);
    },
  );

  it.each(['/', '/openapi.json', '/docs', '/nothing', '/domainsx', '/v10'])(
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
