import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Response } from 'supertest';
import { deviations, type OpenApi, type Operation } from './api-document.js';

export const VERSION_2_DOCUMENT = join(resolve(import.meta.dirname, '../..'), 'docs/openapi-v2.json');

/** Statuses of requests that do not reach the operation, or are incomplete. */
const OF_ALL = new Set([404, 405, 408, 413, 431]);

let document: OpenApi | null = null;

/**
 * Throws for a version 2 response with an undocumented status or a body that does not match docs/openapi-v2.json.
 * Ignores undocumented paths, such as those of test plugins.
 */
export function assertDescribed(method: string, target: string, { status, body, headers }: Response): void {
  const path = target.replace(/[?#].*$/s, '').replace(/\/$/, '');
  const described = method === 'head' ? null : operationAt(method, path);
  if (described === null) return;
  const response = described.responses[status];
  if (response === undefined) {
    if (OF_ALL.has(status)) return;
    throw new Error(`docs/openapi-v2.json does not say that ${method} ${path} is ${status}: ${JSON.stringify(body)}`);
  }
  const type = headers['content-type']?.split(';')[0] ?? '';
  const schema = response.content?.[type]?.schema;
  if (!type.endsWith('json') || schema === undefined) return;
  const found = deviations(body, schema, documentOfVersion2());
  if (found.length > 0)
    throw new Error(`${method} ${path}: ${status} is not as docs/openapi-v2.json says: ${found.join('; ')}`);
}

/** If several match, the path with the fewest parameters. */
function operationAt(method: string, path: string): Operation | null {
  const matching = Object.entries(documentOfVersion2().paths).filter(([template]) => matches(template, path));
  const [nearest] = matching.sort(([left], [right]) => parametersIn(left) - parametersIn(right));
  return nearest?.[1][method] ?? null;
}

function matches(template: string, path: string): boolean {
  const pattern = template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`, 'i').test(path);
}

const parametersIn = (template: string): number => template.split('{').length;

function documentOfVersion2(): OpenApi {
  const empty = (): string => '{"paths":{}}';
  const text = (): string => (existsSync(VERSION_2_DOCUMENT) ? readFileSync(VERSION_2_DOCUMENT, 'utf8') : empty());
  return (document ??= JSON.parse(text()) as OpenApi);
}
