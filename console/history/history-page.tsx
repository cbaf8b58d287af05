import { useEffect, useState } from 'react';
import { useTitle } from '../frame/title.js';
import { useParameter } from '../frame/use-query-text.js';
import { dayOf } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { CompareStates } from './compare-states.js';
import { ChangeItem } from './change-item.js';
import { changesOf, type PastChange, pastChange } from './changes-of.js';
import { type HistoryFilter, useChanges, useMatchingHistory } from './use-history.js';

interface Wanted {
  /** The change that an address of its own leads to. */
  readonly wanted?: string | null;
}

/** What has happened in the zone, day by day, and the way back. */
export function HistoryPage({ wanted = null }: Wanted) {
  const { zone } = useOpenZone();
  useTitle(`${words.history.heading} – ${zone.name}`);
  const [name] = useParameter('name');
  const [type] = useParameter('type');
  return (
    <section aria-labelledby="history">
      <h2 id="history">{words.history.heading}</h2>
      <CompareStates />
      {name === '' && type === '' ? <AllChanges wanted={wanted} /> : <MatchingChanges name={name} type={type} />}
    </section>
  );
}

function AllChanges({ wanted = null }: Wanted) {
  const { zone } = useOpenZone();
  const query = useChanges(zone.id);
  const changes = query.data?.pages.flatMap((page) => page.changes.map(pastChange));
  return <ChangeList query={query} changes={changes} wanted={wanted} />;
}

function MatchingChanges({ name, type }: HistoryFilter) {
  const { zone } = useOpenZone();
  const query = useMatchingHistory(zone.id, { name, type });
  const entries = query.data?.pages.flatMap((page) => page.history);
  return (
    <>
      <p className="notice">
        {words.history.filtered} <ShownText text={`${name} ${type}`.trim()} />
      </p>
      <ChangeList query={query} changes={entries && changesOf(entries)} />
    </>
  );
}

interface ListProps extends Wanted {
  readonly query: {
    readonly error: Error | null;
    readonly failureReason: Error | null;
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
    readonly refetch: () => Promise<unknown>;
  };
  readonly changes: readonly PastChange[] | undefined;
}

function ChangeList({ query, changes, wanted = null }: ListProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(wanted === null ? [] : [wanted]));
  const { hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const trouble = query.error ?? query.failureReason;
  const isFound = wanted === null || changes?.some(({ id }) => id === wanted) === true;
  useLookBack(!isFound && changes !== undefined, query);
  const toggle = (id: string): void =>
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return (
    <>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {changes === undefined && trouble === null && <Skeleton rows={8} />}
      {changes?.length === 0 && !hasNextPage && <p className="empty">{words.history.none}</p>}
      {!isFound && changes !== undefined && !hasNextPage && <p className="notice">{words.history.gone}</p>}
      <ul aria-label={words.history.heading} className="history">
        {changes?.map((change, index) => (
          <ChangeItem
            key={change.id}
            change={change}
            day={dayToSay(changes[index - 1], change)}
            isOpen={open.has(change.id)}
            isWanted={change.id === wanted}
            onToggle={() => toggle(change.id)}
          />
        ))}
      </ul>
      {hasNextPage ? (
        <button type="button" aria-disabled={isFetchingNextPage || undefined} onClick={() => void fetchNextPage()}>
          {words.history.more}
        </button>
      ) : (
        changes !== undefined && <p className="total">{words.history.end}</p>
      )}
    </>
  );
}

/** Pages until the change is found that an address leads to. */
function useLookBack(isSought: boolean, { hasNextPage, isFetchingNextPage, fetchNextPage }: ListProps['query']): void {
  useEffect(() => {
    if (isSought && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isSought, hasNextPage, isFetchingNextPage, fetchNextPage]);
}

/** The day stands above the first of its changes. */
function dayToSay(before: PastChange | undefined, { at }: PastChange): string | null {
  return before !== undefined && dayOf(before.at) === dayOf(at) ? null : dayOf(at);
}
