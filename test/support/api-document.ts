import { expect } from '@jest/globals';

/** An API document, as far as tests look at it. */
export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content & { readonly required: boolean };
  readonly responses: Readonly<Record<string, Content & { readonly description: string; readonly headers?: object }>>;
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, { readonly post: Callback }>>>>;
}

interface Callback {
  readonly requestBody: Required<Content>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface Content {
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface MediaType {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Record<string, Example>;
}

interface Example {
  readonly value: { readonly type: string; readonly data: string };
}

export interface Schema {
  readonly $ref?: string;
  /** The form in which Nest writes a reference with a description. */
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly example?: unknown;
  readonly default?: unknown;
}

interface PlacedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

export function operationsOf({ paths }: OpenApi): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** That it is OpenAPI 3: references lead somewhere, path parameters are declared, answers are described. */
export function assertSoundDocument(document: OpenApi): void {
  const { schemas } = document.components;
  expect(document.openapi).toMatch(/^3\.0\.\d$/);
  expect(document.info).toMatchObject({ title: 'Zonewright', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  for (const [, name = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g))
    expect(schemas).toHaveProperty(name);
  expect(JSON.stringify(document)).not.toMatch(/"\$ref":"(?!#\/components\/schemas\/)/);
  for (const placed of operationsOf(document)) assertSoundOperation(placed);
  for (const schema of Object.values(schemas)) assertSound(schema);
}

function assertSoundOperation({ path, operation }: PlacedOperation): void {
  const declared = operation.parameters.filter((parameter) => parameter.in === 'path');
  expect(declared.map(({ name }) => `{${name}}`).sort()).toEqual((path.match(/\{\w+\}/g) ?? []).sort());
  expect(declared.every(({ required }) => required)).toBe(true);
  for (const [status, { description, content }] of Object.entries(operation.responses)) {
    expect(status).toMatch(/^[2-5]\d\d$/);
    expect(description).toEqual(expect.any(String));
    // Health checks of load balancers answer in plain text.
    if (status >= '400' && !('text/plain' in (content ?? {})))
      expect(content).toHaveProperty(['application/json', 'schema', '$ref']);
  }
}

/** Optional query parameters with an example or default, which Swagger UI fills in. */
export function filledInFilters(document: OpenApi): string[] {
  return operationsOf(document).flatMap(({ method, path, operation }) =>
    operation.parameters
      .filter((one) => one.in === 'query' && !one.required)
      .filter(({ example, schema = {} }) => (example ?? schema.example ?? schema.default) !== undefined)
      .map(({ name }) => `${method} ${path} ${name}`),
  );
}

const REQUEST_METHODS = ['post', 'put', 'patch'];

/** That each JSON body has an example, that it is as the schema says, and that an error has the code of its status. */
export function assertExamples(document: OpenApi): void {
  for (const { path, method, operation } of operationsOf(document)) {
    const { requestBody, responses } = operation;
    if (REQUEST_METHODS.includes(method)) assertExample(`${method} ${path}`, requestBody, document);
    for (const [status, response] of Object.entries(responses)) {
      assertExample(`${method} ${path} ${status}`, response, document);
      if (status < '400') continue;
      for (const { value } of Object.values(response.content?.['application/json']?.examples ?? {}))
        expect(value).toMatchObject({ code: Number(status) });
      if (['429', '503'].includes(status)) expect(response.headers).toHaveProperty('Retry-After');
    }
  }
}

function assertExample(what: string, { content }: Content = {}, document: OpenApi): void {
  const json = content?.['application/json'];
  if (json === undefined) return;
  const { schema, example, examples = {} } = json;
  const values: unknown[] = [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples).map(({ value }) => value),
  ];
  expect([what, values.length > 0]).toEqual([what, true]);
  for (const value of values) expect([what, deviations(value, schema, document)]).toEqual([what, []]);
}

const SCHEMA_TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean'];

function assertSound(schema: Schema): void {
  if (schema.$ref !== undefined || schema.allOf !== undefined || schema.oneOf !== undefined) return;
  expect(SCHEMA_TYPES).toContain(schema.type);
  // A list without entries has no entry schema.
  if (schema.type === 'array' && Object.keys(schema.items ?? {}).length > 0) assertSound(schema.items ?? {});
  for (const property of Object.values(schema.properties ?? {})) assertSound(property);
  for (const name of schema.required ?? []) expect(schema.properties).toHaveProperty(name);
}

/** Where a value is not as its schema says; unknown fields count. */
export function deviations(value: unknown, schema: Schema, document: OpenApi, at = ''): string[] {
  if (value === null && schema.nullable === true) return [];
  if (schema.$ref !== undefined)
    return deviations(value, document.components.schemas[schema.$ref.split('/').at(-1)!]!, document, at);
  if (schema.allOf !== undefined) return schema.allOf.flatMap((part) => deviations(value, part, document, at));
  if (schema.oneOf !== undefined) return deviationsOfOne(value, schema.oneOf, document, at);
  if (value === null) return [`${at} is null`];
  if (Array.isArray(value)) {
    if (schema.type !== 'array') return [`${at} is a list`];
    return value.flatMap((item, index) => deviations(item, schema.items!, document, `${at}[${index}]`));
  }
  if (typeof value !== 'object') return isOfType(value, schema) ? [] : [`${at} is ${JSON.stringify(value)}`];
  return deviationsOfObject(value as Readonly<Record<string, unknown>>, schema, document, at);
}

function deviationsOfOne(value: unknown, schemas: readonly Schema[], document: OpenApi, at: string): string[] {
  const found = schemas.map((schema) => deviations(value, schema, document, at));
  return found.find(({ length }) => length === 0) ?? found.flat();
}

function deviationsOfObject(
  fields: Readonly<Record<string, unknown>>,
  { required = [], properties = {}, additionalProperties = false }: Schema,
  document: OpenApi,
  at: string,
): string[] {
  const missing = required.filter((name) => !(name in fields)).map((name) => `${at}.${name} is missing`);
  const wrong = Object.entries(fields).flatMap(([name, inner]) => {
    const property = properties[name] ?? additionalProperties;
    if (property === true) return [];
    return property === false ? [`${at}.${name} is unknown`] : deviations(inner, property, document, `${at}.${name}`);
  });
  return [...missing, ...wrong];
}

function isOfType(value: unknown, { type, format }: Schema): boolean {
  if (type === 'integer' || type === 'number') return Number.isInteger(value);
  return typeof value === type && (format !== 'uuid' || /^[0-9a-f-]{36}$/.test(String(value)));
}
