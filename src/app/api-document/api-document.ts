import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ExpressAdapter } from '@nestjs/platform-express/adapters/express-adapter.js';
import type { OpenAPIObject } from '@nestjs/swagger';
import * as swagger from '@nestjs/swagger';
import { type RequestHandler, Router } from 'express';
import { describeAll } from '../../http/openapi/decorators.js';
import { packageVersion } from '../package-version.js';
import { JSON_TYPE } from '../../http/bodies/media-types.js';
import { RATE_LIMIT, REPLAYED } from '../../http/openapi/headers.js';

const CREDENTIALS = `Authorize with a token: \`zonewright token create\`, or the first admin token that the service shows at its first start.
Errors carry a \`type\` that a program can act on and, per field, what was wrong; with
\`Accept: application/problem+json\` they come as RFC 9457. Every answer carries \`X-OpenStack-Request-ID\`.`;

interface DescribedVersion {
  readonly name: string;
  /** Without extension. */
  readonly file: string;
  readonly description: string;
  readonly has: (path: string) => boolean;
}

/** Without aliases of paths. */
const VERSION_1: DescribedVersion = {
  name: 'Version 1',
  file: 'openapi',
  description: `DNS records of your domains: the version-1 records interface of the OpenStack DNS service.\n\n${CREDENTIALS}`,
  has: (path) => /^\/($|v1(\/|$)|admin\/|console\/session$|healthz$|readyz$|healthcheck$)/.test(path),
};

const VERSION_2: DescribedVersion = {
  name: 'Version 2',
  file: 'openapi-v2',
  description: `Zones and record sets: version 2 of the OpenStack DNS service, as its current clients use it.\n\n${CREDENTIALS}`,
  // Without an alias.
  has: (path) => /^\/v2(\/(?!service_status(?:\/|$))|$)/.test(path),
};

/** Serves Swagger UI and the documents. Import this file at the first request: it loads `@nestjs/swagger`. */
export async function apiDocumentHandler(app: INestApplication, hasVersion2: boolean): Promise<RequestHandler> {
  const router = Router();
  // `app` would register the routes behind its 404 handler.
  const site = await NestFactory.create<NestExpressApplication>(ApiDocumentModule, new ExpressAdapter(router));
  const versions = hasVersion2 ? [VERSION_2, VERSION_1] : [VERSION_1];
  let whole: swagger.OpenAPIObject | null = null;
  const describe = (version: DescribedVersion): swagger.OpenAPIObject =>
    documentOf(titled((whole ??= describeApplication(app)), version), version.has);
  for (const version of versions)
    swagger.SwaggerModule.setup(version.file, site, () => describe(version), {
      ui: false,
      jsonDocumentUrl: `${version.file}.json`,
      yamlDocumentUrl: `${version.file}.yaml`,
    });
  swagger.SwaggerModule.setup('docs', site, () => describe(VERSION_1), {
    raw: false,
    explorer: true,
    customSiteTitle: 'Zonewright',
    swaggerOptions: {
      persistAuthorization: true,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      urls: versions.map(({ name, file }) => ({ name, url: `/${file}.json` })),
      'urls.primaryName': VERSION_1.name,
    },
  });
  return router;
}

@Module({})
class ApiDocumentModule {}

function titled(document: swagger.OpenAPIObject, { description }: DescribedVersion): swagger.OpenAPIObject {
  return { ...document, info: { ...document.info, description } };
}

function describeApplication(app: INestApplication): swagger.OpenAPIObject {
  describeAll(swagger);
  const config = new swagger.DocumentBuilder()
    .setTitle('Zonewright')
    .setVersion(packageVersion())
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Auth-Token' }, 'token')
    .build();
  return completed(swagger.SwaggerModule.createDocument(app, config, { operationIdFactory: nameOperation }));
}

function documentOf(document: OpenAPIObject, has: (path: string) => boolean): OpenAPIObject {
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => has(path)));
  const { schemas = {} } = document.components ?? {};
  const needed = namesBehind(paths, schemas);
  const kept = Object.fromEntries(Object.entries(schemas).filter(([name]) => needed.has(name)));
  return { ...document, paths, components: { ...document.components, schemas: kept } };
}

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

function namesBehind(part: object, schemas: Readonly<Record<string, object>>): ReadonlySet<string> {
  const names = new Set<string>();
  const waiting: object[] = [part];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const [, name = ''] of JSON.stringify(next).matchAll(REFERENCE)) {
      const schema = schemas[name];
      if (schema === undefined || names.has(name)) continue;
      names.add(name);
      waiting.push(schema);
    }
  return names;
}

/** Clear operation names for methods that have none. */
const NAMES: Readonly<Record<string, string>> = {
  serversDomains: 'listServers',
  aliveHealth: 'isAlive',
  readyHealth: 'isReady',
  healthcheckHealth: 'healthcheck',
  describeVersions: 'describeVersion1',
  changeByPostFlatQuotas: 'changeFlatQuotaByPost',
  deliveriesWebhooks: 'listDeliveries',
  replayDeadWebhooks: 'replayDeadDeliveries',
  replayWebhooks: 'replayDelivery',
};

/** For generated clients: `createDomain`. Nest numbers the paths of a controller with several (`create[0]`). */
function nameOperation(controller: string, method: string): string {
  const name = `${method.replace(/\[\d+\]$/, '')}${controller.replace('Controller', '')}`;
  return NAMES[name] ?? (name.startsWith('list') ? name : singular(name));
}

function singular(name: string): string {
  if (name.endsWith('Statuses')) return name.slice(0, -2);
  return name.endsWith('s') ? name.slice(0, -1) : name;
}

type Operation = Required<OpenAPIObject['paths'][string]>['get'];
type Parameter = Required<Operation>['parameters'][number];
type Content = Readonly<
  Record<string, { readonly schema?: object; readonly example?: unknown; readonly examples?: object }>
>;
interface Described {
  readonly content?: Content;
  readonly headers?: object;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Adds missing examples of bodies, and headers that many answers share. */
function completed(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, ExampleSchema>>;
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => {
      const operations = METHODS.flatMap((method) => {
        const operation = item[method];
        return operation === undefined ? [] : [[method, completedOperation(operation, schemas)] as const];
      });
      return [path, { ...item, ...Object.fromEntries(operations) }];
    }),
  );
  return { ...document, paths };
}

function completedOperation(operation: Operation, schemas: Readonly<Record<string, ExampleSchema>>): Operation {
  const { requestBody, responses, security, parameters = [] } = operation;
  const mayBeReplayed = parameters.some((parameter) => 'name' in parameter && parameter.name === 'Idempotency-Key');
  const shared = {
    ...(security === undefined ? {} : RATE_LIMIT),
    ...(mayBeReplayed ? REPLAYED : {}),
  };
  const answers = Object.entries(responses).map(([status, response]) => {
    const described = response as Described;
    if (!status.startsWith('2')) return [status, described] as const;
    const headers = { ...described.headers, ...shared };
    const answer = withExamples(described, schemas, false);
    return [status, Object.keys(headers).length === 0 ? answer : { ...answer, headers }] as const;
  });
  return {
    ...operation,
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(withoutFilledIn) }),
    ...(requestBody === undefined ? {} : { requestBody: withExamples(requestBody as Described, schemas, true) }),
    responses: Object.fromEntries(answers),
  } as Operation;
}

/** Swagger UI would fill in the example of a filter and send it, so the description has it. */
function withoutFilledIn(parameter: Parameter): Parameter {
  if (!('in' in parameter) || parameter.in !== 'query' || parameter.required === true) return parameter;
  const { example, ...schema } = (parameter.schema ?? {}) as ExampleSchema;
  if (example === undefined) return parameter;
  const shown = typeof example === 'string' ? example : JSON.stringify(example);
  const description = [parameter.description, `Example: \`${shown}\`.`].filter(Boolean).join(' ');
  return { ...parameter, schema, description } as Parameter;
}

function withExamples(
  described: Described,
  schemas: Readonly<Record<string, ExampleSchema>>,
  isRequest: boolean,
): Described {
  const { content } = described;
  const json = content?.[JSON_TYPE];
  if (json?.schema === undefined || 'example' in json || 'examples' in json) return described;
  const example = exampleOf(json.schema, schemas, isRequest);
  return { ...described, content: { ...content, [JSON_TYPE]: { ...json, example } } };
}

interface ExampleSchema {
  readonly $ref?: string;
  readonly allOf?: readonly ExampleSchema[];
  readonly oneOf?: readonly ExampleSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly nullable?: boolean;
  readonly minimum?: number;
  readonly readOnly?: boolean;
  readonly items?: ExampleSchema;
  readonly properties?: Readonly<Record<string, ExampleSchema>>;
  readonly required?: readonly string[];
}

const ID = '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4';

/** In a request: the required fields, and those with an example that is not null. */
function exampleOf(
  schema: ExampleSchema,
  schemas: Readonly<Record<string, ExampleSchema>>,
  isRequest: boolean,
): unknown {
  const inner = (one: ExampleSchema): unknown => exampleOf(one, schemas, isRequest);
  if ('example' in schema) return schema.example;
  if (schema.$ref !== undefined) return inner(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  const [part = schema.oneOf?.[0]] = schema.allOf ?? [];
  if (part !== undefined) return inner(part);
  if (schema.enum !== undefined) return schema.enum[0];
  switch (schema.type) {
    case 'array':
      return Object.keys(schema.items ?? {}).length === 0 ? [] : [inner(schema.items ?? {})];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'string':
      return schema.format === 'uuid' ? ID : 'text';
    default:
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name, field]) => isShown(field, schema.required?.includes(name) ?? false, isRequest))
          .map(([name, field]) => [name, inner(field)]),
      );
  }
}

function isShown(field: ExampleSchema, isRequired: boolean, isRequest: boolean): boolean {
  if (isRequired) return true;
  if (isRequest && field.readOnly === true) return false;
  return 'example' in field && !(isRequest && field.example === null);
}
