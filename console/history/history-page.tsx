import { useState } from 'react';
import { useStatus } from '../frame/status.js';
import { useTitle } from '../frame/title.js';
import { useParameter } from '../frame/use-query-text.js';
import { dayOf } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { ChangeItem } from './change-item.js';
import { type Change, changesOf } from './changes-of.js';
import { useHistory } from './use-history.js';

/** What has happened in the zone, day by day, and the way back. */
export function HistoryPage() {
  const { zone } = useOpenZone();
  useTitle(`${words.history.heading} – ${zone.name}`);
  const [name] = useParameter('name');
  const [type] = useParameter('type');
  const history = useHistory(zone.id, { name, type });
  const status = useStatus();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const { data, error, failureReason, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = history;
  const changes = changesOf(data?.pages.flatMap((page) => page.history) ?? []);
  const trouble = error ?? failureReason;
  const toggle = (id: string): void =>
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });

  return (
    <section aria-labelledby="history">
      <h2 id="history">{words.history.heading}</h2>
      {(name !== '' || type !== '') && (
        <p className="notice">
          {words.history.filtered} <ShownText text={`${name} ${type}`.trim()} />
        </p>
      )}
      {trouble !== null && <Trouble error={trouble} onRetry={() => void refetch()} />}
      {isPending && trouble === null && <Skeleton rows={8} />}
      {data !== undefined && changes.length === 0 && !hasNextPage && <p className="empty">{words.history.none}</p>}
      <ul aria-label={words.history.heading} className="history">
        {changes.map((change, index) => (
          <ChangeItem
            key={change.id}
            change={change}
            day={dayToSay(changes[index - 1], change)}
            isOpen={open.has(change.id)}
            onToggle={() => toggle(change.id)}
            onFailure={(message) => status.show({ content: message })}
          />
        ))}
      </ul>
      {hasNextPage ? (
        <button type="button" aria-disabled={isFetchingNextPage || undefined} onClick={() => void fetchNextPage()}>
          {words.history.more}
        </button>
      ) : (
        data !== undefined && <p className="total">{words.history.end}</p>
      )}
    </section>
  );
}

/** The day stands above the first of its changes. */
function dayToSay(before: Change | undefined, { at }: Change): string | null {
  return before !== undefined && dayOf(before.at) === dayOf(at) ? null : dayOf(at);
}
