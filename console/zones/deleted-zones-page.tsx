import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api/client.js';
import { markerIn } from '../api/markers.js';
import { useWhoami } from '../api/queries.js';
import type { DeletedZones } from '../api/types.js';
import { actorOf } from '../changes/plan-requests.js';
import { useTitle } from '../frame/title.js';
import { Empty } from '../parts/empty.js';
import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { permittedTo } from '../session/permitted.js';
import { useIsSignedIn } from '../session/session.js';
import { words } from '../words/index.js';
import { RestoreZoneDialog } from './restore-zone-dialog.js';

type DeletedZone = DeletedZones['deleted_domains'][number];

/** Zones whose history is still kept. */
export function DeletedZonesPage() {
  useTitle(words.deleted.heading);
  const { data: whoami } = useWhoami();
  const [restoring, setRestoring] = useState<DeletedZone | null>(null);
  const query = useDeletedZones();
  const { data, error, failureReason, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const trouble = error ?? failureReason;
  const zones = data?.pages.flatMap((page) => page.deleted_domains) ?? [];
  const { actions, ...shown } = words.deleted.columns;
  return (
    <>
      <h1>{words.deleted.heading}</h1>
      <p className="hint">{words.deleted.hint}</p>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {data === undefined && trouble === null && <Skeleton rows={4} columns={[3, 2, 2, 2, 1]} />}
      {data !== undefined && zones.length === 0 && (
        <Empty
          icon="deleted"
          actions={[
            { label: words.states.go.zones, to: '/zones' },
            { label: words.states.go.allChanges, to: '/changes' },
          ]}
        >
          {words.deleted.none}
        </Empty>
      )}
      {zones.length > 0 && (
        <table className="list" aria-label={words.deleted.heading}>
          <thead>
            <tr>
              {Object.entries(shown).map(([name, label]) => (
                <th key={name} scope="col">
                  {label}
                </th>
              ))}
              <th scope="col">
                <span className="visually-hidden">{actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {zones.map((zone) => (
              <tr key={zone.id}>
                <td>
                  <ShownText text={zone.name} />
                </td>
                <td data-label={shown.at}>
                  <Moment at={zone.deleted_at} />
                </td>
                <td data-label={shown.by}>
                  <ShownText text={actorOf(zone.actor) || words.history.service} />
                </td>
                <td data-label={shown.serial}>{zone.serial}</td>
                <td>
                  {permittedTo(whoami).makeZones && (
                    <button
                      type="button"
                      aria-label={words.deleted.restore(zone.name)}
                      onClick={() => setRestoring(zone)}
                    >
                      {words.deleted.restoreShort}
                    </button>
                  )}
                </td>
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
      {restoring !== null && <RestoreZoneDialog zone={restoring} onClose={() => setRestoring(null)} />}
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
