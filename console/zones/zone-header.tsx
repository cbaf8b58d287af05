import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/client.js';
import type { Changes } from '../api/types.js';
import { useAuthorName } from '../history/author.js';
import { ZoneLabels } from '../parts/labels.js';
import { Moment } from '../parts/moment.js';
import { Readable } from '../parts/readable.js';
import { ShownText } from '../parts/shown-text.js';
import { useIsSignedIn } from '../session/session.js';
import { words } from '../words/index.js';
import { StatusChips } from './status-chips.js';
import { useOpenZone } from './zone-context.js';

/** The name of the zone, its state, its serial and its last change. */
export function ZoneHeader() {
  const { zone } = useOpenZone();
  return (
    <header className="zone-header">
      <div className="zone-title">
        <h1>
          <ShownText text={zone.name} />
        </h1>
        <StatusChips />
      </div>
      <p className="zone-facts">
        <Readable name={zone.name} /> {words.history.serial(zone.serial)}
        <LastChange /> <ZoneLabels labels={zone.labels} />
      </p>
    </header>
  );
}

/** Nothing where the credential may not read the history. */
function LastChange() {
  const { zone } = useOpenZone();
  const isSignedIn = useIsSignedIn();
  const authorName = useAuthorName();
  const { data } = useQuery({
    queryKey: ['history', zone.id, 'last', zone.serial],
    queryFn: async ({ signal }) =>
      (await ask<Changes>(`/v1/domains/${zone.id}/changes?limit=1`, { signal })).body.changes[0] ?? null,
    enabled: isSignedIn,
    retry: false,
    placeholderData: (before) => before,
  });
  if (data === undefined || data === null) return null;
  return (
    <>
      {' '}
      <span aria-hidden="true">·</span> {words.zoneHeader.changed} <Moment at={data.at} />{' '}
      <ShownText text={words.zoneHeader.by(authorName(data.actor))} longest={100} />
    </>
  );
}
