import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expectStatus } from '../support/answers.js';
import {
  assertExamples,
  assertSoundDocument,
  filledInFilters,
  type OpenApi,
  operationsOf,
} from '../support/api-document.js';
import { VERSION_2_DOCUMENT } from '../support/described-answers.js';
import { type Method, startTestService, type TestService } from '../support/service.js';

/** The library with which @nestjs/swagger writes YAML; we have none of our own. */
const { load } = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown };

describe('the API document of version 2', () => {
  let service: TestService;
  let document: OpenApi;
  beforeAll(async () => {
    service = await startTestService({
      SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
      SERVICE_DNSSEC__ENABLED: 'True',
    });
    document = (await service.plain('get', '/openapi-v2.json')).body;
  });
  afterAll(() => service.stop());

  it('is docs/openapi-v2.json, with signing (UPDATE_DOCS=1 writes it anew)', async () => {
    const text = `${JSON.stringify(document, null, 2)}\n`;
    if (process.env.UPDATE_DOCS === '1') await writeFile(VERSION_2_DOCUMENT, text);
    expect(JSON.parse(await readFile(VERSION_2_DOCUMENT, 'utf8'))).toEqual(document);
  });

  it('1.10 equals its YAML form', async () => {
    const answer = await service.plain('get', '/openapi-v2.yaml');
    expectStatus(answer, 200);
    expect(answer.headers['content-type']).toBe('text/yaml; charset=utf-8');
    expect(load(answer.text)).toEqual(document);
  });

  it('1.10 has all paths under /v2, each operation with a name, a summary and its tag', () => {
    const names = operationsOf(document).map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { path, operation } of operationsOf(document)) {
      expect(path).toMatch(/^\/v2(?:\/|$)/);
      expect(operation.operationId).toMatch(/^[a-z][A-Za-z0-9]+$/);
      expect(operation.summary).toMatch(/^[A-Z]/);
      expect(operation.tags).toHaveLength(1);
      expect(operation.security).toEqual(path === '/v2' ? undefined : [{ token: [] }]);
    }
  });

  it('is OpenAPI 3, and has no schema that it does not need', () => {
    assertSoundDocument(document);
    const text = JSON.stringify(document);
    for (const name of Object.keys(document.components.schemas))
      expect(text).toContain(`"#/components/schemas/${name}"`);
  });

  it('2.4 describes refusals as version 2 has them', () => {
    for (const { operation } of operationsOf(document))
      for (const [status, { content }] of Object.entries(operation.responses))
        if (status >= '400')
          expect(content?.['application/json']?.schema).toEqual({ $ref: '#/components/schemas/V2ErrorDto' });
  });

  it('1.10 has examples of all bodies, which are as their schemas say', () => {
    assertExamples(document);
  });

  it('1.10 has no value for optional filters, which Swagger UI would fill in', () => {
    expect(filledInFilters(document)).toEqual([]);
  });

  it('answers every operation that it documents: none is 404 not_found or 405', async () => {
    for (const { path, method } of operationsOf(document)) {
      const answer = await service.call(method as Method, path.replaceAll(/\{\w+\}/g, 'x'));
      expect(`${path} ${String(answer.body.type)}`).not.toMatch(/ (?:method_not_allowed|not_found)$/);
    }
  });

  it('1.10 shares with version 1 only the schemas that both need', async () => {
    const { body } = (await service.plain('get', '/openapi.json')) as { body: OpenApi };
    expect(Object.keys(body.paths).filter((path) => path.startsWith('/v2'))).toEqual([]);
    expect(Object.keys(body.components.schemas)).not.toContain('V2ErrorDto');
  });
});
