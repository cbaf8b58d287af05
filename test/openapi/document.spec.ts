import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { expectStatus } from '../support/answers.js';
import {
  assertExamples,
  assertSoundDocument,
  deviations,
  filledInFilters,
  type OpenApi,
  operationsOf,
} from '../support/api-document.js';
import { newDomain } from '../support/domain.js';
import { type Method, startTestService, type TestService } from '../support/service.js';

const FILE = join(resolve(import.meta.dirname, '../..'), 'docs/openapi.json');

/** The library with which @nestjs/swagger writes YAML; we have none of our own. */
const { load } = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown };

/** The tested statuses of each operation; 500 and 503 can come from all. */
const OPERATIONS: readonly [operation: string, statuses: string][] = [
  ['GET /', '200 406'],
  ['GET /v1', '200 406'],
  ['POST /v1/domains', '200 400 401 406 409 413 415 422 429 500 503'],
  ['GET /v1/domains', '200 400 401 406 429 500 503'],
  ['GET /v1/domains/{domain_id}', '200 304 401 404 406 429 500 503'],
  ['PUT /v1/domains/{domain_id}', '200 400 401 404 406 412 413 415 429 500 503'],
  ['DELETE /v1/domains/{domain_id}', '200 400 401 404 406 409 412 429 500 503'],
  ['GET /v1/domains/{domain_id}/servers', '200 401 404 406 429 500 503'],
  ['GET /v1/domains/{domain_id}/history', '200 400 401 404 406 429 500 503'],
  ['GET /v1/domains/{domain_id}/diff', '200 400 401 404 406 429 500 503'],
  ['POST /v1/domains/{domain_id}/revert', '200 400 401 404 406 409 412 413 415 422 429 500 503'],
  ['GET /v1/history', '200 400 401 404 406 429 500 503'],
  ['POST /v1/domains/{domain_id}/records', '200 400 401 404 406 409 413 415 422 429 500 503'],
  ['GET /v1/domains/{domain_id}/records', '200 400 401 404 406 429 500 503'],
  ['POST /v1/domains/{domain_id}/changes', '200 400 401 404 406 409 412 413 415 422 429 500 503'],
  ['GET /v1/domains/{domain_id}/records/{id}', '200 304 400 401 404 406 429 500 503'],
  ['PUT /v1/domains/{domain_id}/records/{id}', '200 400 401 404 406 409 412 413 415 429 500 503'],
  ['DELETE /v1/domains/{domain_id}/records/{id}', '200 400 401 404 406 412 429 500 503'],
  ['GET /v1/domains/{domain_id}/managed-records', '200 401 404 406 429 500 503'],
  ['GET /v1/search', '200 400 401 406 429 500 503'],
  ['POST /v1/domain-reads', '200 400 401 406 413 415 429 500 503'],
  ['GET /v1/domains/{domain_id}/live-comparison', '200 400 401 404 406 429 500 503'],
  ['GET /v1/domains/{domain_id}/live-check', '200 400 401 404 406 429 500 503'],
  ['GET /v1/domains/{domain_id}/live-check/last', '200 400 401 404 406 429 500 503'],
  ['GET /v1/record-types', '200 304 401 406 429 500 503'],
  ['GET /v1/whoami', '200 401 406 429 500 503'],
  ['POST /v1/update-keys', '200 400 401 406 409 413 415 429 500 503'],
  ['GET /v1/update-keys', '200 401 406 429 500 503'],
  ['DELETE /v1/update-keys/{update_key_id}', '200 401 404 406 429 500 503'],
  ['POST /v1/webhooks', '200 400 401 406 413 415 429 500 503'],
  ['GET /v1/webhooks', '200 401 406 429 500 503'],
  ['GET /v1/webhooks/{webhook_id}', '200 401 404 406 429 500 503'],
  ['PATCH /v1/webhooks/{webhook_id}', '200 400 401 404 406 413 415 429 500 503'],
  ['DELETE /v1/webhooks/{webhook_id}', '200 401 404 406 429 500 503'],
  ['POST /v1/webhooks/{webhook_id}/rotate', '200 400 401 404 406 413 415 429 500 503'],
  ['POST /v1/webhooks/{webhook_id}/test', '200 400 401 404 406 413 415 429 500 503'],
  ['GET /v1/webhooks/{webhook_id}/deliveries', '200 400 401 404 406 429 500 503'],
  ['POST /v1/webhooks/{webhook_id}/deliveries/replay', '200 400 401 404 406 413 415 429 500 503'],
  ['POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay', '200 400 401 404 406 413 415 429 500 503'],
  ['GET /v1/domains/{domain_id}/dnssec', '200 401 404 406 429 500 503'],
  ['PUT /v1/domains/{domain_id}/dnssec', '200 400 401 404 406 409 413 415 429 500 503'],
  ['POST /v1/domains/{domain_id}/dnssec/parent', '200 400 401 404 406 409 413 415 429 500 503'],
];
const TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'PTR', 'SPF', 'SRV', 'SSHFP', 'TXT'];

/** Operations without a credential. */
const PUBLIC = new Set(['/console/session', '/', '/v1', '/healthz', '/readyz', '/healthcheck']);

describe('the API document', () => {
  let service: TestService;
  let document: OpenApi;
  beforeAll(async () => {
    service = await startTestService({
      SERVICE_API__ENABLE_API_ADMIN: 'True',
      SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas,audit',
      SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas,webhooks,events',
      SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
      SERVICE_DNSSEC__ENABLED: 'True',
    });
    document = (await service.plain('get', '/openapi.json')).body;
  });
  afterAll(() => service.stop());

  const operations = () => operationsOf(document);

  it('is docs/openapi.json, every extension switched on (UPDATE_DOCS=1 writes it anew)', async () => {
    const text = `${JSON.stringify(document, null, 2)}\n`;
    if (process.env.UPDATE_DOCS === '1') await writeFile(FILE, text);
    expect(JSON.parse(await readFile(FILE, 'utf8'))).toEqual(document);
  });

  it('1.10 equals its YAML form', async () => {
    const answer = await service.plain('get', '/openapi.yaml');
    expectStatus(answer, 200);
    expect(answer.headers['content-type']).toBe('text/yaml; charset=utf-8');
    expect(load(answer.text)).toEqual(document);
  });

  it.each(OPERATIONS)('documents exactly the statuses of %s: %s', (operation, statuses) => {
    const [method = '', path = ''] = operation.split(' ');
    expect(Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses ?? {}).join(' ')).toBe(statuses);
  });

  it('1.10 documents only canonical paths, each operation with a name, a summary and its tag', () => {
    const names = operations().map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { path, operation } of operations()) {
      expect(path).toMatch(/^\/(?:$|v1(?:\/|$)|admin\/|console\/session$|healthz$|readyz$|healthcheck$)/);
      expect(operation.operationId).toMatch(/^[a-z][A-Za-z0-9]+$/);
      expect(operation.summary).toMatch(/^[A-Z]/);
      expect(operation.tags).toHaveLength(1);
    }
  });

  it('asks for a credential wherever the service does', async () => {
    for (const { path, operation } of operations())
      expect(operation.security).toEqual(PUBLIC.has(path) ? undefined : [{ token: [] }]);
    expect(document.components.securitySchemes).toEqual({
      token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' },
    });
  });

  it('answers every operation that it documents: none is 404 not_found or 405', async () => {
    for (const { path, method, operation } of operations()) {
      // A stream goes on for ever.
      const isStream = 'text/event-stream' in (operation.responses['200']?.content ?? {});
      const answer = await service.call(isStream ? 'head' : (method as Method), path.replaceAll(/\{\w+\}/g, 'x'));
      expect(['not_found', 'method_not_allowed']).not.toContain(answer.body.type);
    }
  });

  it('shows one example for each record type, and the service accepts it', async () => {
    const create = document.paths['/v1/domains/{domain_id}/records']!.post!;
    const examples = create.requestBody!.content!['application/json']!.examples!;
    expect(Object.keys(examples)).toEqual(expect.arrayContaining(TYPES));
    const domains = [await newDomain(service, 'example.org.'), await newDomain(service, '2.0.192.in-addr.arpa.')];
    for (const [type, { value }] of Object.entries(examples)) {
      expect(value.type).toBe(type);
      const answers = await Promise.all(
        domains.map(({ id }) => service.call('post', `/v1/domains/${id}/records`, value)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  it('is OpenAPI 3: references lead somewhere, path parameters are declared, answers are described', () => {
    assertSoundDocument(document);
    for (const { method, operation } of operations())
      expect(operation.requestBody !== undefined).toBe(['post', 'put', 'patch'].includes(method));
  });

  it('1.10 has examples of all bodies, which are as their schemas say', () => {
    assertExamples(document);
  });

  it('1.10 has no value for optional filters, which Swagger UI would fill in', () => {
    expect(filledInFilters(document)).toEqual([]);
  });

  it('1.10 describes webhook messages and stream events', () => {
    const event = { $ref: '#/components/schemas/CloudEventDto' };
    const stream = document.paths['/v1/events']!.get!.responses['200']!;
    expect(stream.content?.['text/event-stream']?.schema).toEqual(event);
    const callbacks = document.paths['/v1/webhooks']!.post!.callbacks?.event;
    const body = callbacks?.['{$request.body#/url}']?.post.requestBody.content['application/cloudevents+json'];
    expect(body?.schema).toEqual(event);
  });

  it('describes the actual responses, field by field', async () => {
    const domain = await newDomain(service);
    const record = await domain.newRecord({ ttl: 60, description: 'web' });
    const path = `/v1/domains/${domain.id}`;
    await service.call('put', `${path}/records/${record.id}`, {});
    for (const [documented, target] of [
      ['/', '/'],
      ['/v1', '/v1'],
      ['/v1/domains', '/v1/domains'],
      ['/v1/domains/{domain_id}', path],
      ['/v1/domains/{domain_id}/servers', `${path}/servers`],
      ['/v1/domains/{domain_id}/history', `${path}/history`],
      ['/v1/domains/{domain_id}/diff', `${path}/diff?from=${domain.serial}`],
      ['/v1/history', `/v1/history?domain=${domain.name}`],
      ['/v1/domains/{domain_id}/records', `${path}/records`],
      ['/v1/domains/{domain_id}/records/{id}', `${path}/records/${record.id}?fields=true`],
      ['/v1/domains/{domain_id}/managed-records', `${path}/managed-records`],
      ['/v1/search', '/v1/search?q=web'],
      ['/v1/record-types', '/v1/record-types'],
      ['/v1/whoami', '/v1/whoami'],
    ] as const) {
      const answer = await service.call('get', target);
      expectStatus(answer, 200);
      const { schema } = document.paths[documented]!.get!.responses['200']!.content!['application/json']!;
      expect(deviations(answer.body, schema, document)).toEqual([]);
    }
    const refused = await service.call('post', '/v1/domains', {});
    const { schema } = document.paths['/v1/domains']!.post!.responses['400']!.content!['application/json']!;
    expect(deviations(refused.body, schema, document)).toEqual([]);
  });
});

describe('the document of a service without extensions', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  it('1.10 is rendered once for concurrent first requests', async () => {
    const paths = ['/openapi.json', '/openapi.yaml', '/docs', '/docs/swagger-ui-init.js', '/openapi.json'];
    const [first, , , , last] = await Promise.all(paths.map((path) => service.plain('get', path).expect(200)));
    expect(Object.keys(first!.body.paths)).toContain('/v1/domains');
    expect(last!.text).toBe(first!.text);
  });

  it('1.10 omits disabled features and leaves the rest equal', async () => {
    const whole = JSON.parse(await readFile(FILE, 'utf8')) as OpenApi;
    const { body } = (await service.plain('get', '/openapi.json')) as { body: OpenApi };
    for (const [path, methods] of Object.entries(body.paths)) expect(methods).toEqual(whole.paths[path]);
    expect(Object.keys(body.paths).filter((path) => path.includes('quotas'))).toEqual([]);
    expect(Object.keys(whole.paths).filter((path) => path.includes('quotas'))).toEqual([
      '/admin/quotas/{tenant_id}',
      '/v1/quotas/{tenant_id}',
    ]);
  });
});
