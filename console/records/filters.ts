import { fullName } from '../form/names.js';
import { secondsIn } from '../parts/duration.js';
import type { RecordSearch } from './use-record-pages.js';

/** Filters as the address has them; `''`: none. TTLs are seconds, `changed` is `today` or a duration. */
export const FILTERS = ['type', 'name', 'data', 'ttl_above', 'ttl_below', 'changed'] as const;
export type FilterName = (typeof FILTERS)[number];
export type Filters = Readonly<Record<FilterName, string>>;

export const NO_FILTERS: Filters = { type: '', name: '', data: '', ttl_above: '', ttl_below: '', changed: '' };

const FILTER = /^(type|name|data|changed|ttl)(:|=|<=|>=|<|>)(.+)$/is;
/** Words, in which quoted strings may contain blanks. */
const WORD = /(?:"(?:[^"\\]|\\.)*"|\S)+/g;
/** The largest TTL (RFC 2181 §8). */
const MOST_SECONDS = 2 ** 31 - 1;

export interface ReadText {
  readonly filters: Partial<Filters>;
  /** The words that are no filters. */
  readonly rest: string;
}

/** The filters in a typed text, such as `type:MX ttl<300 www`. A word that is not a filter stays a word to search. */
export function filtersIn(text: string, zone: string, types: ReadonlySet<string>): ReadText {
  const filters: Record<string, string> = {};
  const rest: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    const read = filterOf(word, zone, types);
    if (read === null) rest.push(word);
    else Object.assign(filters, read);
  }
  return Object.keys(filters).length === 0 ? { filters, rest: text } : { filters, rest: rest.join(' ') };
}

function filterOf(word: string, zone: string, types: ReadonlySet<string>): Partial<Filters> | null {
  const [, name = '', sign = '', value = ''] = FILTER.exec(word) ?? [];
  const isEqual = sign === ':' || sign === '=';
  switch (name.toLowerCase()) {
    case 'ttl':
      return ttlFilter(isEqual ? '=' : sign, value);
    case 'type':
      return isEqual ? typeFilter(value, types) : null;
    case 'name':
      return isEqual ? { name: fullName(value, zone) } : null;
    case 'data':
      return isEqual ? { data: value } : null;
    case 'changed':
      return isEqual ? changedFilter(value.toLowerCase()) : null;
    default:
      return null;
  }
}

function typeFilter(value: string, types: ReadonlySet<string>): Partial<Filters> | null {
  const wanted = value.toUpperCase().split(',');
  return wanted.every((type) => types.has(type)) ? { type: wanted.join() } : null;
}

function changedFilter(value: string): Partial<Filters> | null {
  return value === 'today' || agoOf(value) !== null ? { changed: value } : null;
}

function ttlFilter(sign: string, value: string): Partial<Filters> | null {
  const seconds = secondsIn(value);
  if (seconds === null || seconds > MOST_SECONDS) return null;
  const [above, below] = [String(seconds - 1), String(Math.min(seconds + 1, MOST_SECONDS))];
  if (sign === '<') return seconds === 0 ? null : { ttl_below: String(seconds) };
  if (sign === '>') return { ttl_above: String(seconds) };
  if (sign === '<=') return { ttl_below: below };
  const atLeast = seconds > 0 ? { ttl_above: above } : {};
  return sign === '>=' ? atLeast : { ...atLeast, ttl_below: below };
}

/** Seconds of a duration with a unit; `changed:7` is not clear. */
const agoOf = (value: string): number | null => (/^\d+$/.test(value) ? null : secondsIn(value));

/** The time since which records have changed, as the API takes it; `''`: any. */
export function sinceOf(changed: string, now: Date): string {
  const seconds = agoOf(changed);
  if (changed !== 'today' && seconds === null) return '';
  const begin =
    seconds === null
      ? new Date(now.getFullYear(), now.getMonth(), now.getDate())
      : new Date(now.getTime() - seconds * 1000);
  return Number.isNaN(begin.getTime()) ? '' : `${begin.toISOString().slice(0, 19)}Z`;
}

/** Drops values in the address that the service would refuse. */
export function validFilters(filters: Filters, types: ReadonlySet<string>): Filters {
  const ttl = (text: string): string => (/^\d{1,10}$/.test(text) && Number(text) <= MOST_SECONDS ? text : '');
  return {
    ...filters,
    type: typeFilter(filters.type, types)?.type ?? '',
    ttl_above: ttl(filters.ttl_above),
    ttl_below: Number(filters.ttl_below) === 0 ? '' : ttl(filters.ttl_below),
    changed: changedFilter(filters.changed)?.changed ?? '',
  };
}

/** Whether some records of the zone do not match. */
export const isFiltered = ({ sort: _sort, ...wanted }: RecordSearch): boolean =>
  Object.values(wanted).some((text) => text !== '');
