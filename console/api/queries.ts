import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useIsSignedIn } from '../session/session.js';
import { ask } from './client.js';
import type { Publication, RecordTypes, StoredRecord, Whoami, Zone, ZoneCheck, ZoneList } from './types.js';
import { Refusal } from './errors.js';

/** How often an open zone is looked at, to see what others do to it. */
const LOOK_AGAIN = 15_000;
const ZONES_A_PAGE = 100;

export function useWhoami() {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: ['whoami'],
    queryFn: async ({ signal }) => (await ask<Whoami>('/v1/whoami', { signal })).body,
    staleTime: 300_000,
    enabled: isSignedIn,
  });
}

export function useRecordTypes() {
  return useQuery({
    queryKey: ['record-types'],
    queryFn: async ({ signal }) => (await ask<RecordTypes>('/v1/record-types', { signal })).body,
    staleTime: Infinity,
  });
}

/** A zone with the state that it is in. */
export interface SeenZone {
  readonly zone: Zone;
  readonly etag: string;
}

export const zoneKey = (name: string) => ['zone', name.toLowerCase()] as const;

/** The zone of a name, looked at again every while. */
export function useZone(name: string) {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: zoneKey(name),
    queryFn: ({ signal }) => seeZone(name, signal),
    refetchInterval: LOOK_AGAIN,
    staleTime: 0,
    enabled: isSignedIn,
  });
}

async function seeZone(name: string, signal: AbortSignal): Promise<SeenZone> {
  const [found] = await zonesOfName(name, signal);
  if (found !== undefined) return seeZoneAt(found.id, signal);
  const gone = { type: 'domain_not_found', reason: 'domain_not_found', params: {} } as const;
  throw new Refusal(404, { ...gone, code: 404, message: name, request_id: '' });
}

async function zonesOfName(name: string, signal: AbortSignal): Promise<ZoneList['domains']> {
  try {
    return (await ask<ZoneList>(`/v1/domains?name=${encodeURIComponent(name)}`, { signal })).body.domains;
  } catch (error) {
    // What is no name at all is no zone either.
    if (error instanceof Refusal && error.status === 400) return [];
    throw error;
  }
}

export async function seeZoneAt(id: string, signal?: AbortSignal): Promise<SeenZone> {
  const { body, etag } = await ask<Zone>(`/v1/domains/${id}`, { signal });
  return { zone: body, etag: etag ?? '*' };
}

export function useZones(q: string, sort: string) {
  const isSignedIn = useIsSignedIn();
  return useInfiniteQuery({
    queryKey: ['zones', q, sort],
    queryFn: async ({ signal, pageParam }) => {
      const query = new URLSearchParams({ details: 'true', count: 'true', sort, limit: String(ZONES_A_PAGE) });
      if (q !== '') query.set('q', q);
      if (pageParam > 0) query.set('offset', String(pageParam));
      return (await ask<ZoneList>(`/v1/domains?${query.toString()}`, { signal })).body;
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((n, { domains }) => n + domains.length, 0);
      return last.domains.length > 0 && shown < (last.count?.total ?? 0) ? shown : undefined;
    },
    placeholderData: keepPreviousData,
    enabled: isSignedIn,
  });
}

/** @param isAwaited whether it is asked again and again until every name server has the serial */
export function usePublication(zoneId: string, isAwaited: boolean) {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: ['publication', zoneId],
    queryFn: async ({ signal }) => (await ask<Publication>(`/v1/domains/${zoneId}/publication`, { signal })).body,
    refetchInterval: ({ state }) => (isAwaited && state.data?.published !== true ? 1000 : false),
    staleTime: 0,
    enabled: isSignedIn,
  });
}

/** What the service finds wrong with a zone. */
export function useZoneCheck(zoneId: string) {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: ['check', zoneId],
    queryFn: async ({ signal }) => (await ask<ZoneCheck>(`/v1/domains/${zoneId}/check`, { signal })).body,
    staleTime: 0,
    enabled: isSignedIn,
  });
}

export function useRecord(zoneId: string, id: string) {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: ['record', zoneId, id],
    queryFn: async ({ signal }) => {
      const path = `/v1/domains/${zoneId}/records/${encodeURIComponent(id)}?fields=true`;
      return (await ask<StoredRecord>(path, { signal })).body;
    },
    enabled: isSignedIn,
  });
}

/** What shows a zone in part, and is read again when the zone has changed. */
export const viewsOf = (zoneId: string) =>
  ['records', 'record', 'history', 'publication', 'check'].map((view) => [view, zoneId] as const);
