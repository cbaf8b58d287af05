import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { markerIn } from '../api/markers.js';
import { entriesOf } from '../parts/entries.js';
import { Field } from '../parts/field.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { useIsSignedIn } from '../session/session.js';
import { moveIn } from '../words/move-in.js';
import { useOpenZone } from '../zones/zone-context.js';
import { DifferencesTable } from './differences-table.js';
import { answeringServers, compareLive } from './move-api.js';
import type { StepProps } from './move.js';
import { StepFrame } from './step-frame.js';
import { TriedServers } from './tried-servers.js';

/** Pages of 200 record sets that are compared without being asked for. */
const PAGES = 10;

/** Compares the zone with the live answers of the old name servers. */
export function CompareStep({ move, onChange, onDone }: StepProps) {
  const { zone } = useOpenZone();
  const [typed, setTyped] = useState(move.servers.join('\n'));
  const [servers, setServers] = useState(move.servers);
  const query = useComparison(zone.id, zone.serial, servers);
  const { data, error, failureReason, isFetching, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const trouble = error ?? failureReason;
  const pages = data?.pages ?? [];
  const compared = pages.reduce((sum, page) => sum + page.compared, 0);
  const unanswered = pages.flatMap((page) => page.unanswered);
  const differences = pages.flatMap((page) => page.differences);
  const tried = pages[0]?.name_servers ?? [];
  const answering = answeringServers(tried);
  useEffect(() => {
    // Once the delegation has changed, it does not lead to the old name servers.
    if (move.servers.length === 0 && answering.length > 0 && compared > 0) onChange({ servers: answering });
  }, [answering.length, compared]);
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && pages.length < PAGES) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, pages.length, fetchNextPage]);
  const { compare } = moveIn;
  const again = (): void => {
    const next = entriesOf(typed);
    onChange({ servers: next });
    if (next.join() === servers.join()) void refetch();
    else setServers(next);
  };
  return (
    <StepFrame domain={move.domain} step="compare" intro={compare.intro} onDone={onDone}>
      <form
        className="move-again"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isFetching) again();
        }}
      >
        <Field label={compare.servers} hint={compare.serversHint}>
          {(control) => (
            <textarea
              {...control}
              rows={2}
              value={typed}
              spellCheck={false}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        <button type="submit" aria-disabled={isFetching || undefined}>
          {compare.again}
        </button>
      </form>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      <p role="status">
        {isFetching ? compare.comparing : data !== undefined && compare.result(compared, differences.length)}
      </p>
      {data === undefined && trouble === null && <Skeleton rows={4} />}
      <TriedServers servers={tried} />
      {unanswered.length > 0 && <p className="notice">{compare.unanswered(unanswered.length)}</p>}
      {differences.length > 0 && <DifferencesTable differences={differences} />}
      {hasNextPage && pages.length >= PAGES && (
        <p>
          <button type="button" aria-disabled={isFetchingNextPage || undefined} onClick={() => void fetchNextPage()}>
            {compare.more}
          </button>
        </p>
      )}
    </StepFrame>
  );
}

function useComparison(zoneId: string, serial: number, servers: readonly string[]) {
  const isSignedIn = useIsSignedIn();
  return useInfiniteQuery({
    // After a change, the zone is compared again.
    queryKey: ['live-comparison', zoneId, serial, servers],
    queryFn: ({ signal, pageParam }) => compareLive(zoneId, servers, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ links }) => markerIn(links.next),
    staleTime: 60_000,
    enabled: isSignedIn,
  });
}
