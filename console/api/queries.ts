import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useIsSignedIn } from '../session/session.js';
import { ask } from './client.js';
import type {
  Dnssec,
  LastLiveCheck,
  LiveCheck,
  ManagedRecords,
  Publication,
  RecordTypes,
  Secondary,
  StoredRecord,
  Whoami,
  Zone,
  ZoneCheck,
  ZoneList,
} from './types.js';
import { Refusal } from './errors.js';

/** Polling interval of an open zone, to notice changes by others. */
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
  /** `null` for a primary zone. */
  readonly secondary: Secondary | null;
  /** The number of its records, where the list of zones was read. */
  readonly records?: number | undefined;
  /** How far it is signed, where the list of zones was read. */
  readonly signing?: Dnssec['state'] | undefined;
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
  if (found !== undefined) {
    const seen = await seeZoneAt(found.id, signal);
    return { ...seen, secondary: found.secondary ?? null, records: found.record_count, signing: found.dnssec };
  }
  const gone = { type: 'domain_not_found', reason: 'domain_not_found', params: {} } as const;
  throw new Refusal(404, { ...gone, code: 404, message: name, request_id: '' });
}

export async function zonesOfName(name: string, signal?: AbortSignal): Promise<ZoneList['domains']> {
  try {
    return (await ask<ZoneList>(`/v1/domains?name=${encodeURIComponent(name)}&details=true`, { signal })).body.domains;
  } catch (error) {
    // An invalid name has no zone either.
    if (error instanceof Refusal && error.status === 400) return [];
    throw error;
  }
}

/** A zone that the console changes, which is never a secondary. */
export async function seeZoneAt(id: string, signal?: AbortSignal): Promise<SeenZone> {
  const { body, etag } = await ask<Zone>(`/v1/domains/${id}`, { signal });
  return { zone: body, etag: etag ?? '*', secondary: null };
}

/** The publication of the listed zones. */
export interface ZoneFilter {
  /** `pending` or another state; empty: any. */
  readonly publication: string;
  /** The address of a name server that lacks them; empty: any. */
  readonly behind: string;
  readonly labels: readonly string[];
}

const NO_FILTER: ZoneFilter = { publication: '', behind: '', labels: [] };

export function useZones(q: string, sort: string, { publication, behind, labels } = NO_FILTER) {
  const isSignedIn = useIsSignedIn();
  return useInfiniteQuery({
    queryKey: ['zones', q, sort, publication, behind, labels],
    queryFn: async ({ signal, pageParam }) => {
      const query = new URLSearchParams({ details: 'true', count: 'true', sort, limit: String(ZONES_A_PAGE) });
      for (const [name, value] of Object.entries({ q, publication, behind })) if (value !== '') query.set(name, value);
      for (const label of labels) query.append('label', label);
      if (pageParam > 0) query.set('offset', String(pageParam));
      return (await ask<ZoneList>(`/v1/domains?${query.toString()}`, { signal })).body;
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((n, { domains }) => n + domains.length, 0);
      return last.domains.length > 0 && last.links?.next !== undefined ? shown : undefined;
    },
    placeholderData: keepPreviousData,
    // A zone leaves this list as soon as the name servers have it.
    refetchInterval: publication === '' && behind === '' ? false : LOOK_AGAIN,
    enabled: isSignedIn,
  });
}

/**
 * @param isAwaited whether it is asked again and again until every name server has the serial
 * @param isReached whether an answer is the last that is awaited
 * @param pause in milliseconds, until it is asked again
 */
export function usePublication(
  zoneId: string,
  isAwaited: boolean,
  isReached = isPublished,
  pause = 1000,
  isEnabled = true,
) {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: ['publication', zoneId],
    queryFn: async ({ signal }) => (await ask<Publication>(`/v1/domains/${zoneId}/publication`, { signal })).body,
    refetchInterval: ({ state }) => (isAwaited && (state.data === undefined || !isReached(state.data)) ? pause : false),
    staleTime: 0,
    enabled: isSignedIn && isEnabled,
  });
}

const isPublished = ({ published }: Publication): boolean => published;

/** Check findings of a zone. */
export function useZoneCheck(zoneId: string, isEnabled = true) {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: ['check', zoneId],
    queryFn: async ({ signal }) => (await ask<ZoneCheck>(`/v1/domains/${zoneId}/check`, { signal })).body,
    staleTime: 0,
    enabled: isSignedIn && isEnabled,
  });
}

/** The live check of a zone, which runs only when the user asks for it. */
export function useLiveCheck(zoneId: string) {
  return useQuery({
    queryKey: ['live-check', zoneId],
    queryFn: async ({ signal }) => (await ask<LiveCheck>(`/v1/domains/${zoneId}/live-check`, { signal })).body,
    enabled: false,
    retry: false,
  });
}

/** The stored live check of a zone. */
export function useLastLiveCheck(zoneId: string) {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: ['last-live-check', zoneId],
    queryFn: async ({ signal }) => (await ask<LastLiveCheck>(`/v1/domains/${zoneId}/live-check/last`, { signal })).body,
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

/** The SOA and the apex NS that the service generates. */
export function useManagedRecords(zoneId: string) {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    // Part of the records view, which is refetched when the zone changes.
    queryKey: ['records', zoneId, 'managed'],
    queryFn: async ({ signal }) =>
      (await ask<ManagedRecords>(`/v1/domains/${zoneId}/managed-records`, { signal })).body.managed_records,
    enabled: isSignedIn,
  });
}

/** The signing of a zone. An unsigned zone is not asked about: its state is known, and a service may sign none. */
export function useSigning({ zone, signing }: SeenZone) {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: ['dnssec', zone.id],
    queryFn: async ({ signal }) => (await ask<Dnssec>(`/v1/domains/${zone.id}/dnssec`, { signal })).body,
    staleTime: 60_000,
    enabled: isSignedIn && signing !== 'insecure',
  });
}

/** Query keys of zone views, which are refetched when the zone changes. */
export const viewsOf = (zoneId: string) =>
  ['records', 'record', 'history', 'publication', 'check'].map((view) => [view, zoneId] as const);
