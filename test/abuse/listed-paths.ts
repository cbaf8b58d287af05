import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WEBHOOK, ZONE } from './many-rows.js';

/** A list and its query parameters in the API description. */
interface List {
  readonly path: string;
  readonly filters: readonly string[];
  readonly sortKeys: readonly string[];
}

interface Operation {
  readonly parameters?: readonly Parameter[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: { readonly enum?: readonly string[] };
}

const DOCUMENTS = ['openapi.json', 'openapi-v2.json'];
const IN_PATHS: Readonly<Record<string, string>> = { domain_id: ZONE, zone_id: ZONE, webhook_id: WEBHOOK };
/** They say which part of a list is shown, and in which form. `behind` needs a pool: `lagging-pool.spec.ts` sends it. */
const NO_FILTERS = new Set(['limit', 'marker', 'sort_key', 'sort_dir', 'format', 'fields', 'behind']);
/** Not lists, although they take a query. */
const NO_LISTS = new Set([
  'diff',
  'export',
  'publication',
  'events',
  'usage',
  'live-comparison',
  'live-check',
  'key_request',
]);
/** Takes no filter, and needs signed domains, which this test does not have. */
const OF_SIGNED_DOMAINS = new Set(['rollovers']);
/** Searches that cost as much as they can. */
const SEARCHES = [
  `/v1/domains/${ZONE}/records?q=7q7&sort=-name&count=true`,
  `/v1/domains/${ZONE}/records?q=1&sort=ttl&offset=9000&count=true&limit=1000`,
  `/v1/domains/${ZONE}/records?sort=name&offset=9000&fields=true`,
  `/v1/domains/${ZONE}/records?sort=-type&offset=9000&type=A,TXT`,
  `/v1/domains/${ZONE}/records?sort=-natural&offset=9000&limit=1000`,
  `/v1/domains/${ZONE}/records?ttl_above=7777&ttl_below=7779&sort=-updated&count=true`,
  `/v1/domains/${ZONE}/records?updated_since=9999-12-31T23:59:59Z&q=7q7&count=true`,
  '/v1/domains?label=common&sort=-records&offset=5000&count=true',
  '/v1/domains?label=common=yes&label=none&q=7q7',
  '/v2/recordsets?label=common&label=none',
  '/v1/domains?q=7q7&sort=-records&count=true&details=true',
  '/v1/domains?sort=name&offset=5000&details=true&limit=1000',
  '/v1/search?q=7q7',
  '/v1/search?q=1&limit=200',
];
/** Lists that nothing can be asked of. */
const WHOLE_LISTS = ['/v1/webhooks', '/v1/tokens', `/v1/domains/${ZONE}/managed-records`];
/** An owner name leads to its record sets by an index, where a pattern does not. */
const EXACT_NAMES = ['/v2/recordsets', `/v2/zones/${ZONE}/recordsets`].map(
  (path) => `${path}?limit=100&name=h7.large.example.com.`,
);

/**
 * Filter values. Most match nothing, which forces a full scan. An unlisted filter fails the test, so that new filters
 * are measured too.
 */
const VALUES: Readonly<Record<string, string>> = {
  name: '*7*q*',
  type: '*A*Q*',
  ttl: '7*7*7*7',
  data: '*7*mail7*',
  status: '*I*Q*',
  description: '*7*q*',
  email: '*example*q*',
  message: '*7*q*',
  zone_id: '*7*q*',
  // All zones and record sets of `many-rows.ts` have it: the other filters read each of them.
  label: 'common=yes',
  target_project_id: 'nobody',
  pattern: '*7*q*',
  algorithm: '*7*q*',
  scope: '*7*q*',
  hostname: '*7*q*',
  service_name: '*7*q*',
};
const VALUES_OF_VERSION_1: Readonly<Record<string, string>> = {
  name: 'nobody.large.example.com.',
  type: 'TXT',
  data: '10.0.0.nothing',
  status: 'dead',
  since: '2020-01-01T00:00:00Z',
  until: '2100-01-01T00:00:00Z',
  domain: 'large.example.com.',
  domain_id: '01900000-0000-7000-8000-eeeeeeeeeeee',
  tenant_id: 'nobody',
  token_id: '01900000-0000-7000-8000-eeeeeeeeeeee',
  user: 'nobody',
  address: '192.0.2.1',
  action: 'domain.delete',
  q: '7q7',
  ttl_above: '7777',
  ttl_below: '1',
  updated_since: '9999-12-31T23:59:59Z',
  sort: '-updated',
  offset: '9000',
  count: 'true',
  details: 'true',
  publication: 'failed',
  prefix: 'tenant-7',
  label: 'common=yes',
};

/**
 * Requests with each filter and each sort of each list; the long form combines them. The short form joins version 2
 * filters of one search kind in one request, since each row is matched against all their fields.
 */
export function requestsForAllLists(isLong: boolean): string[] {
  return [...lists().flatMap((list) => requestsFor(list, isLong)), ...EXACT_NAMES, ...SEARCHES, ...WHOLE_LISTS];
}

function lists(): List[] {
  return DOCUMENTS.flatMap((name) => {
    const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8')) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    };
    return Object.entries(document.paths).flatMap(([path, { get }]) => (get === undefined ? [] : listOf(path, get)));
  });
}

function listOf(path: string, { parameters = [] }: Operation): List[] {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const last = path.split('/').at(-1) ?? '';
  if (query.length === 0 || last.startsWith('{') || NO_LISTS.has(last) || OF_SIGNED_DOMAINS.has(last)) return [];
  const sortKeys = query.find(({ name }) => name === 'sort_key')?.schema?.enum ?? [];
  return [{ path, filters: query.map(({ name }) => name).filter((name) => !NO_FILTERS.has(name)), sortKeys }];
}

function requestsFor({ path, filters, sortKeys }: List, isLong: boolean): string[] {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => IN_PATHS[name] ?? missing(name, path));
  const filtering = filters.map((name) => `${name}=${encodeURIComponent(valueOf(name, path))}`);
  const sorting = sortKeys.map((key, at) => `sort_key=${key}&sort_dir=${at % 2 === 0 ? 'asc' : 'desc'}`);
  const pairs = isLong
    ? ['', ...filtering, ...sorting, ...filtering.flatMap((filter) => sorting.map((sort) => `${filter}&${sort}`))]
    : ['', ...(sorting.length === 0 ? filtering : searchedAlike(filtering, sorting))];
  const always = REQUIRED[path] ?? '';
  return pairs.map((pair) => `${place}?${always}limit=100${pair === '' || always.startsWith(pair) ? '' : `&${pair}`}`);
}

/** Without these, the lists answer 400. */
const REQUIRED: Readonly<Record<string, string>> = {
  '/v1/history': 'domain=large.example.com.&',
  '/v1/search': `q=${VALUES_OF_VERSION_1.q}&`,
};

/** Values of records are looked for by themselves: where others have let nothing through they are not read. */
function searchedAlike(filtering: readonly string[], sorting: readonly string[]): string[] {
  const values = filtering.filter((filter) => filter.startsWith('data='));
  const others = filtering.filter((filter) => !values.includes(filter));
  return [[...others, sorting.at(-1)].join('&'), ...values];
}

function valueOf(name: string, path: string): string {
  const values = path.startsWith('/v2/') ? VALUES : VALUES_OF_VERSION_1;
  return values[name] ?? missing(name, path);
}

function missing(name: string, path: string): never {
  throw new Error(`say in listed-paths.ts what ${name} of ${path} is to be asked for`);
}
