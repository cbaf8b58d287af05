import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ask } from '../api/client.js';
import { markerIn } from '../api/markers.js';
import type { Changes, History, HistoryEntry } from '../api/types.js';
import { useIsSignedIn } from '../session/session.js';
import type { PastChange } from './changes-of.js';

const PAGE = 100;

/** All changes of a zone, the latest first, further back on demand. */
export function useChanges(zoneId: string) {
  const isSignedIn = useIsSignedIn();
  return useInfiniteQuery({
    queryKey: ['history', zoneId],
    queryFn: ({ signal, pageParam }) =>
      pageOf<Changes>(`/v1/domains/${zoneId}/changes`, new URLSearchParams(), pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ links }) => markerIn(links.next),
    enabled: isSignedIn,
  });
}

export interface HistoryFilter {
  readonly name: string;
  readonly type: string;
}

/** The entries of records that had a name or a type. */
export function useMatchingHistory(zoneId: string, { name, type }: HistoryFilter) {
  const isSignedIn = useIsSignedIn();
  return useInfiniteQuery({
    queryKey: ['history', zoneId, name, type],
    queryFn: ({ signal, pageParam }) => {
      const query = new URLSearchParams();
      if (name !== '') query.set('name', name);
      if (type !== '') query.set('type', type);
      return pageOf<History>(`/v1/domains/${zoneId}/history`, query, pageParam, signal);
    },
    initialPageParam: null as string | null,
    // Long pages are searched in portions: one without entries may still lead on.
    getNextPageParam: ({ links }) => markerIn(links.next),
    enabled: isSignedIn,
  });
}

async function pageOf<Page>(
  path: string,
  query: URLSearchParams,
  marker: string | null,
  signal: AbortSignal,
): Promise<Page> {
  query.set('limit', String(PAGE));
  if (marker !== null) query.set('marker', marker);
  return (await ask<Page>(`${path}?${query.toString()}`, { signal })).body;
}

const WHOLE = 1000;
/** Larger changes show counts only. */
const MOST_SHOWN = 1000;

/** The entries of a change in order; `null`: too many to show. */
export function useEntries(zoneId: string, change: PastChange) {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: ['change', zoneId, change.id],
    queryFn: ({ signal }) => entriesOfChange(zoneId, change, signal),
    staleTime: Infinity,
    enabled: isSignedIn,
  });
}

async function entriesOfChange(
  zoneId: string,
  { id, latest }: PastChange,
  signal: AbortSignal,
): Promise<readonly HistoryEntry[] | null> {
  const found: HistoryEntry[] = [];
  for (let marker = latest + 1; found.length <= MOST_SHOWN;) {
    const path = `/v1/domains/${zoneId}/history?limit=${WHOLE}&marker=${marker}`;
    const { body } = await ask<History>(path, { signal });
    found.push(...body.history.filter((entry) => entry.change_id === id));
    const oldest = body.history.at(-1);
    if (oldest?.change_id !== id || body.links.next === undefined) return found.reverse();
    marker = oldest.number;
  }
  return null;
}
