import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ExpressAdapter } from '@nestjs/platform-express/adapters/express-adapter.js';
import * as swagger from '@nestjs/swagger';
import { type RequestHandler, Router } from 'express';
import { describeAll } from '../http/openapi/decorators.js';
import { packageVersion } from './package-version.js';

const DESCRIPTION = `DNS records of your domains: the version-1 records interface of the OpenStack DNS service.

Authorize with a token: \`zonewright token create\`, or the first admin token that the service shows at its first start.
Errors carry a \`type\` that a program can act on and, per field, what was wrong; with
\`Accept: application/problem+json\` they come as RFC 9457. Every answer carries \`X-OpenStack-Request-ID\`.`;

/** Paths that the interface writes without a prefix answer too; the document shows the canonical ones only. */
const CANONICAL = /^\/($|v1(\/|$)|admin\/|healthz$|readyz$)/;

/**
 * Answers for Swagger UI at /docs and the document at /openapi.json and /openapi.yaml. Loading this file loads
 * `@nestjs/swagger`: only api-document.routes.ts imports it, when it is asked for the first of these.
 */
export async function apiDocumentHandler(app: INestApplication): Promise<RequestHandler> {
  const router = Router();
  // `app` would put the routes behind its answer to what it does not find.
  const site = await NestFactory.create<NestExpressApplication>(ApiDocumentModule, new ExpressAdapter(router));
  swagger.SwaggerModule.setup('docs', site, () => buildApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Zonewright',
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true, tryItOutEnabled: true },
  });
  return router;
}

@Module({})
class ApiDocumentModule {}

function buildApiDocument(app: INestApplication): swagger.OpenAPIObject {
  describeAll(swagger);
  const config = new swagger.DocumentBuilder()
    .setTitle('Zonewright')
    .setDescription(DESCRIPTION)
    .setVersion(packageVersion())
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Auth-Token' }, 'token')
    .build();
  const document = swagger.SwaggerModule.createDocument(app, config, { operationIdFactory: nameOperation });
  const paths = Object.entries(document.paths).filter(([path]) => CANONICAL.test(path));
  return { ...document, paths: Object.fromEntries(paths) };
}

/** `createRecords`; Nest counts the paths of a controller that has several (`create[0]`). */
function nameOperation(controller: string, method: string): string {
  return `${method.replace(/\[\d+\]$/, '')}${controller.replace('Controller', '')}`;
}
