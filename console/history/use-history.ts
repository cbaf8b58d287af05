import { useInfiniteQuery } from '@tanstack/react-query';
import { ask } from '../api/client.js';
import type { History, HistoryEntry } from '../api/types.js';
import { useIsSignedIn } from '../session/session.js';

const PAGE = 100;

export interface HistoryFilter {
  readonly name: string;
  readonly type: string;
}

/** The history of a zone, the latest first, further back on demand. */
export function useHistory(zoneId: string, { name, type }: HistoryFilter) {
  const isSignedIn = useIsSignedIn();
  return useInfiniteQuery({
    queryKey: ['history', zoneId, name, type],
    queryFn: async ({ signal, pageParam }) => {
      const query = new URLSearchParams({ limit: String(PAGE) });
      if (name !== '') query.set('name', name);
      if (type !== '') query.set('type', type);
      if (pageParam !== null) query.set('marker', pageParam);
      return (await ask<History>(`/v1/domains/${zoneId}/history?${query.toString()}`, { signal })).body;
    },
    initialPageParam: null as string | null,
    // Long pages are searched in portions: one without entries may still lead on.
    getNextPageParam: ({ links }) => markerIn(links.next),
    enabled: isSignedIn,
  });
}

function markerIn(link: string | undefined): string | undefined {
  return link === undefined
    ? undefined
    : (new URL(link, window.location.origin).searchParams.get('marker') ?? undefined);
}

const WHOLE = 1000;
/** More is taken back by restoring the state before it. */
const MOST_STEPS = 1000;

/** All entries of a change, of which a page may have shown a part; `null` where there are too many. */
export async function entriesOfChange(
  zoneId: string,
  changeId: string,
  first: number,
): Promise<readonly HistoryEntry[] | null> {
  const found: HistoryEntry[] = [];
  for (let marker = first + 1; found.length <= MOST_STEPS;) {
    const { body } = await ask<History>(`/v1/domains/${zoneId}/history?limit=${WHOLE}&marker=${marker}`);
    const [of, rest] = [body.history.filter((entry) => entry.change_id === changeId), body.history.at(-1)];
    found.push(...of);
    if (rest?.change_id !== changeId || body.links.next === undefined) return found.reverse();
    marker = rest.number;
  }
  return null;
}
