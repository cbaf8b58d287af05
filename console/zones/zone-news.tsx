import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { viewsOf } from '../api/queries.js';
import { usePending } from '../changes/pending-store.js';
import { words } from '../words/index.js';
import { useOpenZone } from './zone-context.js';
import { useZoneEvents } from './zone-events.js';

/**
 * Tells that others have changed the open zone. Where nothing is gathered, the changes are shown at once; else on demand,
 * so that no row moves while somebody works on it.
 */
export function ZoneNews() {
  const { zone, place } = useOpenZone();
  const { entries } = usePending(place);
  useZoneEvents(zone);
  const [seen, setSeen] = useState(zone.serial);
  const queries = useQueryClient();
  const isNew = seen !== zone.serial;
  const isShown = isNew && entries.length === 0;
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
    <p className="notice">
      {words.zone.changedByOthers}{' '}
      <button type="button" onClick={show}>
        {words.zone.show}
      </button>
    </p>
  );
}
