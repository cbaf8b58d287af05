import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { viewsOf } from '../api/queries.js';
import { actorsOf, changesSince } from '../changes/plan-requests.js';
import { usePending } from '../changes/pending-store.js';
import { ShownText } from '../parts/shown-text.js';
import { useIsSignedIn } from '../session/session.js';
import { words } from '../words/index.js';
import { useOpenZone } from './zone-context.js';
import { useZoneEvents } from './zone-events.js';

/**
 * Reports that others have changed the open zone. Without pending changes it shows them immediately, otherwise on
 * demand, so that no row moves during an edit.
 */
export function ZoneNews() {
  const { zone, place } = useOpenZone();
  const { entries } = usePending(place);
  useZoneEvents(zone);
  const [seen, setSeen] = useState(zone.serial);
  const queries = useQueryClient();
  const isNew = seen !== zone.serial;
  const isShown = isNew && entries.length === 0;
  const news = useNews(zone.id, seen, zone.serial, isNew && !isShown);
  useEffect(() => {
    if (!isShown) return;
    for (const queryKey of viewsOf(zone.id)) void queries.invalidateQueries({ queryKey });
    setSeen(zone.serial);
  }, [isShown, queries, zone.id, zone.serial]);
  if (!isNew || isShown) return null;
  const show = (): void => {
    for (const queryKey of viewsOf(zone.id)) void queries.invalidateQueries({ queryKey });
    setSeen(zone.serial);
  };
  return (
    <p className="notice" aria-live="polite">
      <ShownText text={news} />{' '}
      <button type="button" onClick={show}>
        {words.zone.show}
      </button>
    </p>
  );
}

/** Changes between two serials, if the caller may read the history. */
function useNews(zoneId: string, from: number, to: number, isAsked: boolean): string {
  const isSignedIn = useIsSignedIn();
  const { data } = useQuery({
    queryKey: ['history', zoneId, 'since', from, to],
    queryFn: ({ signal }) => changesSince(zoneId, from, signal),
    enabled: isSignedIn && isAsked,
    retry: false,
  });
  const actors = data === undefined ? [] : actorsOf(data);
  return data === undefined || actors.length === 0
    ? words.zone.changedByOthers
    : words.zone.changedBy(data.length, actors);
}
