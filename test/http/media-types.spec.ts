import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contentsOf } from '../support/audit.js';
import { expectRefusal, expectStatus } from '../support/answers.js';
import type { DomainBody } from '../support/bodies.js';
import { freshName, newDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

describe('media types', () => {
  let service: TestService;
  let domain: DomainBody;
  beforeAll(async () => {
    service = await startTestService();
    domain = await newDomain(service);
  });
  afterAll(() => service.stop());

  const body = () => JSON.stringify({ name: freshName(), email: 'hostmaster@example.org' });
  const post = (headers: Record<string, string>) => service.plain('post', '/v1/domains').set(headers).send(body());

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8',
    'application/json ; profile=x; charset=utf-8',
  ])('1.3 takes a body of type %s', async (type) => {
    expectStatus(await post({ 'Content-Type': type }), 200);
  });

  it.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/problem+json',
    'application/vnd.api+json',
    'application/jsonp',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'json',
    ';',
  ])('1.3 answers 415 to a body of type %s', async (type) => {
    const before = contentsOf(service.databaseFile);
    expectRefusal(await post({ 'Content-Type': type }), { status: 415, type: 'unsupported_content_type', faults: [] });
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });

  it('1.3 answers 415 to a body without a type', async () => {
    const answer = await service.plain('post', '/v1/domains').set('Content-Type', '').send(body());
    expectRefusal(answer, { status: 415, type: 'unsupported_content_type' });
  });

  it.each(['gzip', 'deflate', 'br', 'x-nothing', 'gzip, gzip'])(
    '1.3 answers 415 to Content-Encoding: %s',
    async (coding) => {
      const answer = await post({ 'Content-Type': 'application/json', 'Content-Encoding': coding });
      expectRefusal(answer, { status: 415, type: 'unsupported_content_type' });
    },
  );

  it.each([
    'application/json',
    'application/*',
    '*/*',
    'text/html, */*;q=0.1',
    'text/html;q=0.9, APPLICATION/JSON;q=0.1',
    'application/problem+json',
    'application/json; charset=utf-8',
  ])('1.3 answers JSON to Accept: %s', async (accept) => {
    const answer = await service.call('get', '/v1/domains').set('Accept', accept);
    expectStatus(answer, 200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it.each(['text/html', 'application/xml', 'application/json;q=0', 'text/*', 'nonsense', ',;=', 'a/b,'.repeat(2000)])(
    '1.3 answers 406 to Accept: %s',
    async (accept) => {
      for (const path of ['/', '/v1/domains', `/v1/domains/${domain.id}`, `/v1/domains/${domain.id}/records`]) {
        const answer = await service.call('get', path).set('Accept', accept);
        expectRefusal(answer, { status: 406, type: 'unsupported_accept', faults: [] });
      }
    },
  );

  it('1.3 does not apply changes whose response it could not send', async () => {
    const before = contentsOf(service.databaseFile);
    const answer = await post({ 'Content-Type': 'application/json', Accept: 'text/html' });
    expectRefusal(answer, { status: 406, type: 'unsupported_accept' });
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });

  it.each(['get', 'delete'] as const)(
    '1.3 takes Content-Type: application/json on %s without a body',
    async (method) => {
      const { id } = await newDomain(service);
      expectStatus(await service.call(method, `/v1/domains/${id}`).set('Content-Type', 'application/json'), 200);
    },
  );

  it('1.3 ignores a body on GET and DELETE', async () => {
    const { id } = await newDomain(service);
    for (const method of ['get', 'delete'] as const)
      expectStatus(await service.call(method, `/v1/domains/${id}`).type('text/plain').send('ignored'), 200);
  });
});
