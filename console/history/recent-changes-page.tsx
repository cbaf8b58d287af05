import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ask } from '../api/client.js';
import { markerIn } from '../api/markers.js';
import type { TenantChange, TenantChanges } from '../api/types.js';
import { actorOf } from '../changes/plan-requests.js';
import { useTitle } from '../frame/title.js';
import { ColumnHeads } from '../parts/column-heads.js';
import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { useIsSignedIn } from '../session/session.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';

/** What has happened in all zones of the tenant, the latest first; each zone's history has the way back. */
export function RecentChangesPage() {
  useTitle(words.recentChanges.heading);
  const query = useRecentChanges();
  const { data, error, failureReason, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const trouble = error ?? failureReason;
  const changes = data?.pages.flatMap((page) => page.changes) ?? [];
  return (
    <>
      <h1>{words.recentChanges.heading}</h1>
      <p className="hint">{words.recentChanges.hint}</p>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {data === undefined && trouble === null && <Skeleton rows={8} />}
      {data !== undefined && changes.length === 0 && !hasNextPage && (
        <p className="empty">{words.recentChanges.none}</p>
      )}
      {changes.length > 0 && <ChangesTable changes={changes} />}
      {hasNextPage && (
        <button type="button" aria-disabled={isFetchingNextPage || undefined} onClick={() => void fetchNextPage()}>
          {words.history.more}
        </button>
      )}
    </>
  );
}

function ChangesTable({ changes }: { readonly changes: readonly TenantChange[] }) {
  const { columns } = words.recentChanges;
  return (
    <table className="list" aria-label={words.recentChanges.heading}>
      <ColumnHeads labels={columns} />
      <tbody>
        {changes.map((change) => (
          <tr key={`${change.domain.id} ${change.change_id}`}>
            <td data-label={columns.at}>
              <Moment at={change.at} />
            </td>
            <td data-label={columns.zone}>
              <Link href={zoneAddress(change.domain.name, 'history')}>
                <ShownText text={change.domain.name} />
              </Link>
            </td>
            <td data-label={columns.by}>
              <ShownText text={actorOf(change.actor) || words.history.service} />
            </td>
            <td data-label={columns.what}>{whatOf(change)}</td>
            <td data-label={columns.message}>{change.message !== null && <ShownText text={change.message} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function whatOf({ records: { created, updated, deleted }, domain_actions: actions }: TenantChange): string {
  if (actions.includes('domain.delete')) return words.recentChanges.zoneDeleted;
  if (actions.includes('domain.create')) return words.history.zoneCreated;
  return created + updated + deleted > 0 ? words.history.counts(created, updated, deleted) : words.history.zoneChanged;
}

function useRecentChanges() {
  const isSignedIn = useIsSignedIn();
  return useInfiniteQuery({
    queryKey: ['recent-changes'],
    queryFn: async ({ signal, pageParam }) => {
      const query = new URLSearchParams({ limit: '100' });
      if (pageParam !== null) query.set('marker', pageParam);
      return (await ask<TenantChanges>(`/v1/changes?${query.toString()}`, { signal })).body;
    },
    initialPageParam: null as string | null,
    // The service looks at so many entries at a time: a page without any may still lead on.
    getNextPageParam: ({ links }) => markerIn(links.next),
    staleTime: 0,
    enabled: isSignedIn,
  });
}
