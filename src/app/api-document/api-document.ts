import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ExpressAdapter } from '@nestjs/platform-express/adapters/express-adapter.js';
import * as swagger from '@nestjs/swagger';
import { type RequestHandler, Router } from 'express';
import { describeAll } from '../../http/openapi/decorators.js';
import { completed } from './document-completion.js';
import { documentOf } from './document-part.js';
import { nameOperation } from './operation-names.js';
import { packageVersion } from '../package-version.js';

const CREDENTIALS = `Authorize with a token: \`zonewright token create\`, or the first admin token that the service shows at its first start.
Errors carry a \`type\` that a program can act on and, per field, what was wrong; with
\`Accept: application/problem+json\` they come as RFC 9457. Every answer carries \`X-OpenStack-Request-ID\`.`;

/** One document for each version: what a program reads to talk to the service talks to one of them. */
interface DescribedVersion {
  readonly name: string;
  /** Without its ending. */
  readonly file: string;
  readonly description: string;
  readonly has: (path: string) => boolean;
}

/** Some paths have other names that answer too; the documents show the canonical ones only. */
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
  // Without the second name that one of its lists has.
  has: (path) => /^\/v2(\/(?!service_status(?:\/|$))|$)/.test(path),
};

/**
 * Answers for Swagger UI at /docs and the documents at /openapi.json, /openapi-v2.json and the same as YAML. Loading this
 * file loads `@nestjs/swagger`: only api-document.routes.ts imports it, when it is asked for the first of these.
 */
export async function apiDocumentHandler(app: INestApplication, hasVersion2: boolean): Promise<RequestHandler> {
  const router = Router();
  // `app` would put the routes behind its answer to what it does not find.
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

/** All operations of the service. */
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
