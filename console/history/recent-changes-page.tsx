import { useInfiniteQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { ask } from '../api/client.js';
import { markerIn } from '../api/markers.js';
import { useWhoami } from '../api/queries.js';
import type { TenantChanges } from '../api/types.js';
import { useTitle } from '../frame/title.js';
import { Empty } from '../parts/empty.js';
import type { MenuAction } from '../parts/more-menu.js';
import { useExport } from '../records/use-export.js';
import { permittedTo } from '../session/permitted.js';
import { useIsSignedIn } from '../session/session.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { pastChange, sizeOf } from './changes-of.js';
import { Feed } from './feed.js';
import type { FeedChange } from './changes-of.js';

/** The changes of all zones of the tenant, the latest first. Plans open in the zone of the change. */
export function RecentChangesPage() {
  useTitle(words.recentChanges.heading);
  const query = useRecentChanges();
  const { data: whoami } = useWhoami();
  const [, navigate] = useLocation();
  const save = useExport();
  const changes = query.data?.pages.flatMap((page) =>
    page.changes.map((change) => ({ zone: change.domain, change: pastChange(change) })),
  );
  const actionsOf = ({ zone, change }: FeedChange): readonly MenuAction[] => {
    const history = words.history;
    const address = zoneAddress(zone.name, `history/${change.id}`);
    const mayUndo = permittedTo(whoami).undo && sizeOf(change) > 0 && !change.isDeletionOfZone;
    return [
      { label: history.open, act: () => navigate(address) },
      ...(mayUndo
        ? [
            { label: history.undo, act: () => navigate(`${address}?plan=undo`) },
            { label: history.restore, act: () => navigate(`${address}?plan=restore`) },
          ]
        : []),
      { label: history.export, act: () => save(zone, change.serial) },
    ];
  };
  const { go } = words.states;
  return (
    <>
      <h1>{words.recentChanges.heading}</h1>
      <p className="hint">{words.recentChanges.hint}</p>
      <Feed
        namesZone
        query={query}
        changes={changes}
        actionsOf={actionsOf}
        onCompare={(from, to) => {
          const states = { from: String(from.change.serial), to: String(to.change.serial) };
          navigate(`${zoneAddress(to.zone.name, 'history')}?${new URLSearchParams(states).toString()}`);
        }}
        empty={
          <Empty
            icon="changes"
            actions={[
              { label: go.zones, to: '/zones' },
              { label: words.deleted.link, to: '/deleted-zones' },
            ]}
          >
            {words.recentChanges.none}
          </Empty>
        }
      />
    </>
  );
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
    // The service covers a limited number of entries: an empty page may still have a next link.
    getNextPageParam: ({ links }) => markerIn(links.next),
    staleTime: 0,
    enabled: isSignedIn,
  });
}
