import { useInfiniteQuery } from '@tanstack/react-query';
import { ask } from '../api/client.js';
import { markerIn } from '../api/markers.js';
import type { DeletedZones } from '../api/types.js';
import { actorOf } from '../changes/plan-requests.js';
import { useTitle } from '../frame/title.js';
import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { useIsSignedIn } from '../session/session.js';
import { words } from '../words/index.js';

/** Zones whose history is still kept. */
export function DeletedZonesPage() {
  useTitle(words.deleted.heading);
  const query = useDeletedZones();
  const { data, error, failureReason, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const trouble = error ?? failureReason;
  const zones = data?.pages.flatMap((page) => page.deleted_domains) ?? [];
  const { columns } = words.deleted;
  return (
    <>
      <h1>{words.deleted.heading}</h1>
      <p className="hint">{words.deleted.hint}</p>
      {trouble !== null && <Trouble error={trouble} onRetry={() => void refetch()} />}
      {data === undefined && trouble === null && <Skeleton rows={4} />}
      {data !== undefined && zones.length === 0 && <p className="empty">{words.deleted.none}</p>}
      {zones.length > 0 && (
        <table className="list" aria-label={words.deleted.heading}>
          <thead>
            <tr>
              {Object.entries(columns).map(([name, label]) => (
                <th key={name} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {zones.map(({ id, name, deleted_at: at, actor, serial }) => (
              <tr key={id}>
                <td>
                  <ShownText text={name} />
                </td>
                <td data-label={columns.at}>
                  <Moment at={at} />
                </td>
                <td data-label={columns.by}>
                  <ShownText text={actorOf(actor) || words.history.service} />
                </td>
                <td data-label={columns.serial}>{serial}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {hasNextPage && (
        <button type="button" aria-disabled={isFetchingNextPage || undefined} onClick={() => void fetchNextPage()}>
          {words.deleted.more}
        </button>
      )}
    </>
  );
}

function useDeletedZones() {
  const isSignedIn = useIsSignedIn();
  return useInfiniteQuery({
    queryKey: ['deleted-zones'],
    queryFn: async ({ signal, pageParam }) => {
      const query = new URLSearchParams({ limit: '100' });
      if (pageParam !== null) query.set('marker', pageParam);
      return (await ask<DeletedZones>(`/v1/deleted-domains?${query.toString()}`, { signal })).body;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ links }) => markerIn(links.next),
    staleTime: 0,
    enabled: isSignedIn,
  });
}
