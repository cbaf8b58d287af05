import { randomUUID } from 'node:crypto';
import { bodyOf } from '../../support/answers.js';
import type { TokenService } from '../../support/token-service.js';
import type { World } from './way.js';

/** Routes of the OpenAPI documents with one of the methods. */
export async function routesWith(service: TokenService, wanted: readonly string[]): Promise<string[]> {
  const documents = await Promise.all(
    ['/openapi.json', '/openapi-v2.json'].map((path) =>
      bodyOf<{ paths: Record<string, Record<string, unknown>> }>(service.plain('get', path)),
    ),
  );
  return documents.flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => wanted.includes(method))
        .map((method) => `${method} ${path}`),
    ),
  );
}

export function filledWith(
  path: string,
  { domain, www, wwwSet }: World,
  ids: Readonly<Record<string, string>> = {},
): string {
  const ofDomain = { domain_id: domain.id, zone_id: domain.id, recordset_id: wwwSet, id: www.id };
  const known: Readonly<Record<string, string>> = { ...ofDomain, ...ids };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? randomUUID());
}
