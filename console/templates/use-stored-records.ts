import { useQueries } from '@tanstack/react-query';
import type { ListedRecord } from '../api/types.js';
import { allRecords } from '../records/use-record-pages.js';
import { useIsSignedIn } from '../session/session.js';

/** Records read of one name. More of them do not conflict with a template. */
const MOST = 1000;

export interface StoredRecords {
  readonly records: readonly ListedRecord[];
  readonly isPending: boolean;
  readonly error: unknown;
}

/** The stored records with these names. */
export function useStoredRecords(zoneId: string, names: readonly string[]): StoredRecords {
  const isSignedIn = useIsSignedIn();
  return useQueries({
    queries: names.map((name) => ({
      // Part of the records view, which is refetched when the zone changes.
      queryKey: ['records', zoneId, 'of name', name],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        allRecords(zoneId, { q: '', name, type: '', sort: 'name' }, MOST, signal),
      enabled: isSignedIn,
    })),
    combine: (queries) => ({
      records: queries.flatMap(({ data }) => data ?? []),
      isPending: queries.some(({ isPending }) => isPending),
      error: queries.find(({ error }) => error !== null)?.error ?? null,
    }),
  });
}
