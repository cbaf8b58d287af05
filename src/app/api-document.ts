import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { packageVersion } from './package-version.js';

const DESCRIPTION = `DNS records of your domains: the version-1 records interface of the OpenStack DNS service.

Authorize with a token: \`zonewright token create\`, or the first admin token that the service shows at its first start.
Errors carry a \`type\` that a program can act on and, per field, what was wrong; with
\`Accept: application/problem+json\` they come as RFC 9457. Every answer carries \`X-OpenStack-Request-ID\`.`;

/** Paths that the interface writes without a prefix answer too; the document shows the canonical ones only. */
const CANONICAL = /^\/($|v1(\/|$)|admin\/|healthz$|readyz$)/;

function buildApiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Zonewright')
    .setDescription(DESCRIPTION)
    .setVersion(packageVersion())
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Auth-Token' }, 'token')
    .build();
  const document = SwaggerModule.createDocument(app, config, { operationIdFactory: nameOperation });
  const paths = Object.entries(document.paths).filter(([path]) => CANONICAL.test(path));
  return { ...document, paths: Object.fromEntries(paths) };
}

/** Swagger UI at /docs, the document at /openapi.json and /openapi.yaml. */
export function serveApiDocument(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => buildApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Zonewright',
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true, tryItOutEnabled: true },
  });
}

/** `createRecords`; Nest counts the paths of a controller that has several (`create[0]`). */
function nameOperation(controller: string, method: string): string {
  return `${method.replace(/\[\d+\]$/, '')}${controller.replace('Controller', '')}`;
}
