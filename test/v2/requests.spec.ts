import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { expectStatus } from '../support/answers.js';
import { startTestService, type TestService } from '../support/service.js';
import { PROBES } from '../support/v2-probe.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({}, undefined, [PROBES]);
});
afterAll(() => service.stop());

const JSON_TYPE = 'application/json';
const post = (path: string, body: string, type = JSON_TYPE) =>
  service.plain('post', path).set('Content-Type', type).send(body);

/** A refusal of version 2, whole but for its words and its errors. */
function expectRefused(answer: Response, status: number, type: string): void {
  expectStatus(answer, status);
  const { errors: _, ...body } = answer.body as { errors?: object };
  expect(body).toEqual({
    code: status,
    type,
    message: expect.stringMatching(/^\S.*\S$/s),
    request_id: answer.headers['x-openstack-request-id'],
  });
}

describe('a body of version 2', () => {
  it('1.11 is read, with or without parameters of its media type, and with a slash behind the path', async () => {
    for (const path of ['/v2/probes', '/v2/probes/', '/V2/Probes'])
      expectStatus(await post(path, '{"name":"a"}', 'application/json; charset=UTF-8'), 201);
  });

  it.each([
    ['nothing', '', 'empty_request_body'],
    ['null', 'null', 'empty_request_body'],
    ['no JSON', '{"name":', 'invalid_json'],
    ['a list', '[]', 'bad_request'],
    ['a number', '1', 'bad_request'],
    ['a text', '"name"', 'bad_request'],
    ['a key twice', '{"name":"a","name":"b"}', 'invalid_object'],
    ['an unknown field', '{"name":"a","other":1}', 'invalid_object'],
    ['a wrong type', '{"name":1}', 'invalid_object'],
  ])('1.11 that holds %s is 400', async (_, body, type) => {
    expectRefused(await post('/v2/probes', body), 400, type);
  });

  it('1.11 that is no UTF-8 is 400', async () => {
    const body = Buffer.from('{"name":"\xff"}', 'latin1');
    const answer = await fetch(`${service.url}/v2/probes`, {
      method: 'POST',
      headers: { 'Content-Type': JSON_TYPE },
      body,
    });
    expect(await answer.json()).toMatchObject({ code: 400, type: 'invalid_json' });
  });

  it('1.4 says nothing to a body of version 1', async () => {
    const answer = await post('/v1/domains', '');
    expect(answer.body).toMatchObject({ type: 'invalid_object', errors: [{ path: '' }] });
  });

  it('1.11 of another media type is 415', async () => {
    expectRefused(
      await post('/v2/probes', 'name=a', 'application/x-www-form-urlencoded'),
      415,
      'unsupported_content_type',
    );
    expectRefused(await post('/v2/probes/text', '{}'), 415, 'unsupported_content_type');
  });

  it('1.11 may be a master file where the operation says so, in any writing of the media type', async () => {
    const answer = await post('/v2/probes/text', '$ORIGIN example.org.\n', 'Text/DNS; charset=utf-8');
    expect(answer.body).toEqual({ length: 21 });
  });

  it('1.11 may be missing where the operation says so, with a media type or without', async () => {
    const bare = () => service.plain('post', '/v2/probes/bare');
    for (const request of [
      bare(),
      bare().set('Content-Type', JSON_TYPE),
      bare().set('Content-Type', JSON_TYPE).set('Content-Length', '0'),
      bare().set('Content-Type', 'text/plain').set('Content-Length', '0'),
      bare().set('Content-Type', JSON_TYPE).set('Transfer-Encoding', 'chunked').send(''),
      bare().set('Content-Type', JSON_TYPE).send('null'),
      bare().set('Content-Type', 'text/plain').send('null'),
    ])
      expect((await request).body).toEqual({ body: {} });
    expect((await post('/v2/probes/bare', '{"a":1}')).body).toEqual({ body: { a: 1 } });
    expectRefused(await post('/v2/probes/bare', '{'), 400, 'invalid_json');
    expectRefused(await bare().set('Content-Type', 'text/plain').send('{}'), 415, 'unsupported_content_type');
  });

  it('1.11 above max_body_size is 413', async () => {
    expectRefused(await post('/v2/probes', `{"name":"${'a'.repeat(1_100_000)}"}`), 413, 'payload_too_large');
  });
});

describe('2.4 a refusal of version 2', () => {
  it('has an object of errors, with paths as lists', async () => {
    const answer = await service.call('get', '/v2/probes/faults');
    expectRefused(answer, 400, 'invalid_object');
    const { errors } = (answer.body as { errors: { errors: { path: unknown }[] } }).errors;
    expect(errors.map(({ path }) => path)).toEqual([[], ['records', 12], ['quota', 'zones'], ['list', 0, 'values', 1]]);
  });

  it('is problem details for clients that prefer them', async () => {
    const answer = await service.call('get', '/v2/probes/1').set('Accept', 'application/problem+json');
    expectStatus(answer, 400);
    expect(answer.body).toMatchObject({ type: 'urn:zonewright:error:invalid_uuid', status: 400 });
  });

  it('of an unknown path is 404, of a method 405, of Accept 406', async () => {
    expectRefused(await service.call('get', '/v2/nothing'), 404, 'not_found');
    const answer = await service.call('put', '/v2/probes', {});
    expectRefused(answer, 405, 'method_not_allowed');
    expect(answer.headers.allow).toBe('GET, HEAD, POST');
    expectRefused(await service.call('get', '/v2/probes').set('Accept', 'text/html'), 406, 'unsupported_accept');
  });
});

describe('1.11 an id of version 2', () => {
  it('is a UUID in any writing', async () => {
    const id = randomUUID();
    for (const written of [id, id.toUpperCase(), id.replaceAll('-', '')])
      expect((await service.call('get', `/v2/probes/${written}`)).body).toMatchObject({ id });
  });

  it.each(['1', 'example.org.', '%00', 'x'.repeat(300), `${randomUUID()}x`])('that is %s is 400', async (written) => {
    expectRefused(await service.call('get', `/v2/probes/${written}`), 400, 'invalid_uuid');
  });

  it('is looked at after the credential', async () => {
    expectStatus(await service.as('tenant-a', '').call('get', '/v2/probes/1'), 403);
  });

  it('stands in links that begin as the request did', async () => {
    const id = randomUUID();
    const answer = await service.call('get', `/v2/probes/${id}?ignored=1`).set('Host', 'dns.example.org');
    expect(answer.body).toMatchObject({ links: { self: `http://dns.example.org/v2/probes/${id}` } });
  });
});

describe('1.11 requests of version 2 clients', () => {
  it('HEAD is answered as GET, GET and DELETE may have a media type', async () => {
    const id = randomUUID();
    expectStatus(await service.call('head', `/v2/probes/${id}`), 200);
    for (const method of ['get', 'delete'] as const)
      expectStatus(await service.call(method, `/v2/probes/${id}`).set('Content-Type', JSON_TYPE), 200);
  });

  it('every answer has a request id and no Deprecation', async () => {
    const { headers } = await service.call('get', '/v2/probes');
    expect(headers['x-openstack-request-id']).toMatch(/^req-/);
    expect(headers).not.toHaveProperty('deprecation');
  });
});
