import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ask } from '../api/client.js';
import type { FoundRecord, FoundRecords, ZoneList } from '../api/types.js';
import { useIsSignedIn } from '../session/session.js';

/** Number of zones shown, and of records before the user asks for more. */
export const MOST_FOUND = 50;
/** Requests that follow each other by themselves. Each reads up to 250,000 records (behavior 6.11). */
const MOST_REQUESTS = 10;

export interface Found {
  readonly zones: ZoneList['domains'];
  readonly records: readonly FoundRecord[];
  /** Zones and records that were read. */
  readonly searched: number;
  readonly isComplete: boolean;
}

/** Zones and records of all zones that contain a text. The search goes on until it has some records or read enough. */
export function useFound(q: string) {
  const isEnabled = useIsSignedIn() && q !== '';
  const zones = useQuery({
    queryKey: ['search', 'zones', q],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ q, limit: String(MOST_FOUND) });
      return (await ask<ZoneList>(`/v1/domains?${query.toString()}`, { signal })).body.domains;
    },
    staleTime: 0,
    enabled: isEnabled,
  });
  const pages = useInfiniteQuery({
    queryKey: ['search', 'records', q],
    queryFn: async ({ signal, pageParam }) => {
      const query = new URLSearchParams({ q, limit: String(MOST_FOUND) });
      if (pageParam !== '') query.set('marker', pageParam);
      return (await ask<FoundRecords>(`/v1/search?${query.toString()}`, { signal })).body;
    },
    initialPageParam: '',
    getNextPageParam: ({ links }) => markerOf(links.next),
    staleTime: 0,
    enabled: isEnabled,
  });
  const records = pages.data?.pages.flatMap((page) => page.records) ?? [];
  const { hasNextPage, isFetching, isError, fetchNextPage } = pages;
  const requests = pages.data?.pages.length ?? 0;
  const goesOn = hasNextPage && !isError && records.length < MOST_FOUND && requests < MOST_REQUESTS;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);

  const isFound = zones.data !== undefined && pages.data !== undefined;
  const found: Found | null = isFound
    ? {
        zones: zones.data,
        records,
        searched: pages.data.pages.reduce((sum, page) => sum + page.searched, 0),
        isComplete: !hasNextPage,
      }
    : null;
  return {
    found,
    isSearching: isEnabled && (zones.isFetching || isFetching || goesOn),
    trouble: zones.error ?? zones.failureReason ?? pages.error ?? pages.failureReason,
    searchOn: () => void fetchNextPage(),
    retry: () => void Promise.all([zones.refetch(), pages.refetch()]),
  };
}

function markerOf(next: string | undefined): string | undefined {
  return next === undefined ? undefined : (new URL(next).searchParams.get('marker') ?? undefined);
}
