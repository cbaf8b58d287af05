import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { CollectionQuery, CollectionSort } from '../../common/collection-query.js';
import { readLabelFilters } from '../../common/labels.js';
import type { SearchClient } from '../../common/waiting/search-turns.js';
import { ServiceError } from '../../common/service-error.js';
import { canonicalUuid } from '../../common/uuid.js';
import { searchClientOf } from '../request-lifetime.js';
import type { ApiRequest } from '../request.js';

export interface CollectionRules {
  readonly filters: readonly string[];
  /** Columns of `FilteredPages` by `sort_key`. */
  readonly sortKeys: Readonly<Record<string, string>>;
  /** Default: the order of creation. */
  readonly defaultSort?: CollectionSort;
}

/** The only filter that may stand several times. */
export const LABEL = 'label';
const DEFAULT_LIMIT = 20;
/** Caps larger values silently. */
const MAX_LIMIT = 1000;
const BY_CREATION: CollectionSort = { column: 'created_at', isDescending: false };
const PAGING = new Set(['limit', 'marker', 'sort_key', 'sort_dir']);
/** Query parameters that repeat a header. The guard has read them. */
const READ_BY_GUARD = new Set(['all_projects', 'all_tenants', 'edit_managed_records']);

/** @throws ServiceError `bad_filter`, `invalid_limit`, `invalid_marker`, `invalid_sort_key`, `invalid_sort_dir` */
export const V2Query = createParamDecorator((rules: CollectionRules, context: ExecutionContext): CollectionQuery => {
  const request = context.switchToHttp().getRequest<ApiRequest>();
  return readCollectionQuery(request.query, rules, searchClientOf(request));
});

function readCollectionQuery(
  query: Readonly<Record<string, unknown>>,
  rules: CollectionRules,
  searchClient: SearchClient,
): CollectionQuery {
  const { label = [], ...others } = query;
  const parameters = single(others);
  const filters = new Map([...parameters].filter(([name]) => !PAGING.has(name)));
  const unknown = [...filters.keys()].filter((name) => !rules.filters.includes(name));
  const labels = readLabelFilters([label].flat(), 'bad_filter');
  if (labels.length > 0 && !rules.filters.includes(LABEL)) unknown.push(LABEL);
  if (unknown.length > 0) throw badFilter(`Invalid filters ${unknown.join(', ')}`, rules);
  return {
    filters,
    labels,
    sort: readSort(parameters, rules),
    limit: readLimit(parameters.get('limit')),
    marker: readMarker(parameters.get('marker')),
    searchClient,
  };
}

function single(query: Readonly<Record<string, unknown>>): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of Object.entries(query)) {
    if (READ_BY_GUARD.has(name)) continue;
    if (typeof value !== 'string') throw new ServiceError('bad_filter', `Duplicate filters ${name}: send it once.`);
    parameters.set(name, value);
  }
  return parameters;
}

function badFilter(problem: string, { filters }: CollectionRules): ServiceError {
  const known = filters.length > 0 ? `this list can be filtered by ${filters.join(', ')}` : 'this list has none';
  return new ServiceError('bad_filter', `${problem}: ${known}.`);
}

function readSort(parameters: ReadonlyMap<string, string>, rules: CollectionRules): CollectionSort {
  const { column, isDescending } = rules.defaultSort ?? BY_CREATION;
  const key = saidIn(parameters, 'sort_key');
  const direction = saidIn(parameters, 'sort_dir');
  if (key !== undefined && !Object.hasOwn(rules.sortKeys, key)) {
    const known = Object.keys(rules.sortKeys).join(', ');
    throw new ServiceError('invalid_sort_key', `This list can be sorted by ${known}.`);
  }
  if (direction !== undefined && direction !== 'asc' && direction !== 'desc')
    throw new ServiceError('invalid_sort_dir', 'The sort_dir is asc or desc.');
  return {
    column: key === undefined ? column : (rules.sortKeys[key] ?? column),
    isDescending: direction === undefined ? isDescending && key === undefined : direction === 'desc',
  };
}

/** Clients send an empty text for an absent value. */
function saidIn(parameters: ReadonlyMap<string, string>, name: string): string | undefined {
  const text = parameters.get(name);
  return text === '' ? undefined : text;
}

function readLimit(text = String(DEFAULT_LIMIT)): number {
  if (text.toLowerCase() === 'max') return MAX_LIMIT;
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  if (limit < 1) throw new ServiceError('invalid_limit', 'The limit is a number from 1, or max.');
  return Math.min(limit, MAX_LIMIT);
}

function readMarker(text: string | undefined): string | null {
  if (text === undefined) return null;
  const marker = canonicalUuid(text);
  if (marker === null) throw new ServiceError('invalid_marker', 'The marker is the id of an entry: a UUID.');
  return marker;
}

/** Characters; a path may be as long as all headers. */
const QUOTED = 64;

/** Ignores case and dashes. @throws ServiceError `invalid_uuid`: clients send names instead of ids and need a body */
export const V2Id = createParamDecorator((name: string, context: ExecutionContext): string => {
  const value = context.switchToHttp().getRequest<ApiRequest>().params[name];
  const id = typeof value === 'string' ? canonicalUuid(value) : null;
  // Clients compare this message.
  if (id === null) throw new ServiceError('invalid_uuid', `Invalid UUID ${name}: ${String(value).slice(0, QUOTED)}`);
  return id;
});
