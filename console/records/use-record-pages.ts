import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { ask } from '../api/client.js';
import type { ListedRecord, RecordCount, RecordList } from '../api/types.js';
import { useIsSignedIn } from '../session/session.js';

export interface RecordSearch {
  readonly q: string;
  readonly name: string;
  readonly type: string;
  readonly sort: string;
  /** The rest as parameters of the API; absent or `''`: any. */
  readonly data?: string;
  readonly ttl_above?: string;
  readonly ttl_below?: string;
  readonly updated_since?: string;
}

const PARAMETERS = ['q', 'name', 'type', 'data', 'ttl_above', 'ttl_below', 'updated_since'] as const;

/** Page size; pages load by scroll position. */
export const PAGE = 200;
/** The API skips no more. */
export const LAST_OFFSET = 200_000;
const NO_RECORDS: readonly ListedRecord[] = [];
const NOT_COUNTED: RecordCount = { total: 0, total_is_exact: true, by_type: {}, by_type_is_exact: true };
/** Keeps invisible pages long enough to scroll back. */
const KEPT_FOR = 60_000;

export interface RecordPages {
  readonly total: number;
  readonly count: RecordCount;
  readonly firstPage: readonly ListedRecord[];
  readonly recordAt: (index: number) => ListedRecord | undefined;
  readonly isPending: boolean;
  /** The rows belong to an earlier search. */
  readonly isStale: boolean;
  readonly trouble: unknown;
}

/** The records of a zone that match, as far as the rows from `first` to `last` need them. */
export function useRecordPages(zoneId: string, search: RecordSearch, first: number, last: number): RecordPages {
  const isSignedIn = useIsSignedIn();
  const head = useQuery({
    queryKey: ['records', zoneId, search, 0],
    queryFn: ({ signal }) => pageAt(zoneId, search, 0, signal),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: KEPT_FOR,
    enabled: isSignedIn,
  });
  const pages = pagesBetween(first, last).filter((page) => page > 0);
  const others = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['records', zoneId, search, page],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => pageAt(zoneId, search, page * PAGE, signal),
      staleTime: Infinity,
      gcTime: KEPT_FOR,
      enabled: isSignedIn,
    })),
  });
  const found = new Map(pages.map((page, index) => [page, others[index]?.data?.records]));
  const recordAt = (index: number): ListedRecord | undefined => {
    const page = Math.floor(index / PAGE);
    return (page === 0 ? head.data?.records : found.get(page))?.[index % PAGE];
  };
  const failing = [head, ...others].find(({ error, failureReason }) => (error ?? failureReason) !== null);
  const count = head.data?.count ?? NOT_COUNTED;
  return {
    total: count.total,
    count,
    firstPage: head.data?.records ?? NO_RECORDS,
    recordAt,
    isPending: head.data === undefined,
    isStale: head.isPlaceholderData,
    trouble: failing === undefined ? null : (failing.error ?? failing.failureReason),
  };
}

function pagesBetween(first: number, last: number): number[] {
  const from = Math.floor(first / PAGE);
  const to = Math.floor(Math.max(first, last) / PAGE);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** A page of long records ends early; loads the rest immediately. */
async function pageAt(zoneId: string, search: RecordSearch, offset: number, signal: AbortSignal): Promise<RecordList> {
  const first = await listAt(zoneId, search, offset, PAGE, signal);
  const records = [...first.records];
  let last = first;
  while (records.length < PAGE && last.links?.next !== undefined && last.records.length > 0) {
    last = await listAt(zoneId, search, offset + records.length, PAGE - records.length, signal);
    records.push(...last.records);
  }
  return { ...first, records };
}

export async function listAt(
  zoneId: string,
  search: RecordSearch,
  offset: number,
  limit: number,
  signal?: AbortSignal,
): Promise<RecordList> {
  const query = new URLSearchParams({
    sort: search.sort.replace('name', 'natural'),
    limit: String(limit),
    offset: String(offset),
    fields: 'true',
  });
  if (offset === 0) query.set('count', 'true');
  for (const name of PARAMETERS) {
    const wanted = search[name] ?? '';
    if (wanted !== '') query.set(name, wanted);
  }
  return (await ask<RecordList>(`/v1/domains/${zoneId}/records?${query.toString()}`, { signal })).body;
}

/** All matching records, up to a limit. */
export async function allRecords(
  zoneId: string,
  search: RecordSearch,
  most: number,
  signal?: AbortSignal,
): Promise<ListedRecord[]> {
  const records: ListedRecord[] = [];
  for (;;) {
    const page = await listAt(zoneId, search, records.length, Math.min(1000, most - records.length), signal);
    records.push(...page.records);
    if (records.length >= most || page.records.length === 0 || page.links?.next === undefined) return records;
  }
}
