import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ExternalDnsController } from '../../src/external-dns/endpoints/external-dns.controller.js';
import { SearchController } from '../../src/powerdns/search/search.controller.js';
import { ServersController } from '../../src/powerdns/servers.controller.js';
import { CryptoKeysController } from '../../src/powerdns/zones/crypto-keys.controller.js';
import { ZoneExtrasController } from '../../src/powerdns/zones/zone-extras.controller.js';
import { ZonesController } from '../../src/powerdns/zones/zones.controller.js';

const DOCUMENTS = ['openapi.json', 'openapi-v2.json'];
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** PowerDNS and external-dns document their interfaces; these classes have the served parts. */
const OF_OTHERS: readonly Type[] = [
  ExternalDnsController,
  ServersController,
  SearchController,
  ZonesController,
  ZoneExtrasController,
  CryptoKeysController,
];

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Operations of the API documents, the PowerDNS API and the webhook of external-dns, such as `get /v1/domains/{domain_id}`. */
export async function documentedOperations(): Promise<readonly string[]> {
  const documents = await Promise.all(
    DOCUMENTS.map(async (file) => {
      const json = await readFile(join(import.meta.dirname, '../../docs', file), 'utf8');
      return JSON.parse(json) as Document;
    }),
  );
  const documented = documents
    .flatMap(({ paths }) => Object.entries(paths))
    .flatMap(([path, operations]) =>
      METHODS.filter((method) => method in operations).map((method) => `${method} ${path}`),
    );
  return [...documented, ...OF_OTHERS.flatMap(operationsOf)];
}

function operationsOf(controller: Type): string[] {
  const handlers = Object.values(Object.getOwnPropertyDescriptors(controller.prototype as object))
    .map(({ value }): unknown => value)
    .filter((value): value is () => unknown => typeof value === 'function');
  return handlers.flatMap((handler) => {
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (method === undefined) return [];
    const parts = [controller, handler].map((target) => Reflect.getMetadata(PATH_METADATA, target) as string);
    const path = parts
      .join('/')
      .replaceAll(/:(\w+)/g, '{$1}')
      .replace(/\/+$/, '');
    return [`${RequestMethod[method].toLowerCase()} /${path}`];
  });
}

/** Whether a request belongs to a documented operation. */
export function isOperationOf(request: { readonly method: string; readonly path: string }, operation: string): boolean {
  const [method = '', path = ''] = operation.split(' ');
  const form = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  return request.method.toLowerCase() === method && form.test(request.path.replace(/\?.*/, ''));
}
