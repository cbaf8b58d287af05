import { type ReactNode, useEffect, useState } from 'react';
import { dayOf } from '../parts/moment.js';
import type { MenuAction } from '../parts/more-menu.js';
import { Trouble } from '../parts/trouble.js';
import { useNow } from '../parts/use-now.js';
import { words } from '../words/index.js';
import { useAuthorName } from './author.js';
import { CompareBar } from './compare-bar.js';
import type { FeedChange } from './changes-of.js';
import { FeedItem } from './feed-item.js';
import { FeedSkeleton } from './feed-skeleton.js';

interface Props {
  readonly query: {
    readonly error: Error | null;
    readonly failureReason: Error | null;
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
    readonly refetch: () => Promise<unknown>;
  };
  /** The latest first; `undefined`: not loaded. */
  readonly changes: readonly FeedChange[] | undefined;
  /** The change named in the URL. */
  readonly wanted?: string | null;
  /** Whether each item has the name of its zone. */
  readonly namesZone?: boolean;
  readonly actionsOf: (one: FeedChange) => readonly MenuAction[];
  /** Compares the states after two changes of one zone, the earlier first. */
  readonly onCompare: (from: FeedChange, to: FeedChange) => void;
  /** In place of a feed without changes. */
  readonly empty: ReactNode;
}

const keyOf = ({ zone, change }: FeedChange): string => `${zone.id} ${change.id}`;

/** Changes by day. Each shows its differences on demand; two that are ticked are compared. */
export function Feed({ query, changes, wanted = null, namesZone = false, actionsOf, onCompare, empty }: Props) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const trouble = query.error ?? query.failureReason;
  const isFound = wanted === null || changes?.some(({ change }) => change.id === wanted) === true;
  const [open, toggle] = useKeys();
  const [ticked, tick, untick] = useKeys();
  const now = useNow();
  const authorName = useAuthorName();
  useLookBack(!isFound && changes !== undefined, query);
  const chosen = changes?.filter((one) => ticked.has(keyOf(one))) ?? [];
  const mayTick = ({ zone }: FeedChange): boolean => chosen.length < 2 && (chosen[0]?.zone.id ?? zone.id) === zone.id;
  return (
    <>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {changes === undefined && trouble === null && <FeedSkeleton />}
      {changes?.length === 0 && !hasNextPage && empty}
      {!isFound && changes !== undefined && !hasNextPage && <p className="notice">{words.history.gone}</p>}
      {changes !== undefined && changes.length > 0 && (
        <ul aria-label={words.history.heading} className="feed">
          {changes.map((one, index) => {
            const key = keyOf(one);
            const isOn = ticked.has(key);
            return (
              <FeedItem
                key={key}
                {...one}
                author={authorName(one.change.actor)}
                day={dayToSay(changes[index - 1], one, now)}
                namesZone={namesZone}
                isOpen={open.has(key) !== (one.change.id === wanted)}
                isWanted={one.change.id === wanted}
                onToggle={() => toggle(key)}
                tick={{ isOn, isDisabled: !isOn && !mayTick(one), onChange: () => tick(key) }}
                actions={actionsOf(one)}
              />
            );
          })}
        </ul>
      )}
      <CompareBar chosen={chosen} onCompare={onCompare} onClear={untick} />
      {hasNextPage ? (
        <button type="button" aria-disabled={isFetchingNextPage || undefined} onClick={() => void fetchNextPage()}>
          {words.history.more}
        </button>
      ) : (
        changes !== undefined && changes.length > 0 && <p className="total">{words.history.end}</p>
      )}
    </>
  );
}

/** A set of keys, what adds or takes away one of them, and what takes away all. */
function useKeys() {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string): void =>
    setKeys((before) => {
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  return [keys, toggle, () => setKeys(new Set())] as const;
}

/** Pages until the change is found that an address leads to. */
export function useLookBack(
  isSought: boolean,
  { hasNextPage, isFetchingNextPage, fetchNextPage }: Props['query'],
): void {
  useEffect(() => {
    if (isSought && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isSought, hasNextPage, isFetchingNextPage, fetchNextPage]);
}

/** The day stands above the first of its changes. */
function dayToSay(before: FeedChange | undefined, { change: { at } }: FeedChange, now: Date): string | null {
  const day = dayOf(at, now);
  return before !== undefined && dayOf(before.change.at, now) === day ? null : day;
}
