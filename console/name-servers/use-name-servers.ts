import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/client.js';
import type { NameServers, Publication, ZoneList } from '../api/types.js';
import { useIsSignedIn } from '../session/session.js';

/** Polling interval in milliseconds: a search over all zones of the tenant is not free. */
const LOOK_AGAIN = 10_000;
const SHOWN_ZONES = 5;

export function useNameServers() {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: ['name-servers'],
    queryFn: async ({ signal }) => (await ask<NameServers>('/v1/name-servers', { signal })).body.name_servers,
    refetchInterval: LOOK_AGAIN,
    staleTime: 0,
    enabled: isSignedIn,
  });
}

export type NameServer = NameServers['name_servers'][number];

/** The zones that a name server lacks: their number, and the first ones, least recently changed first. */
export function useLackingZones(address: string) {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: ['name-servers', address, 'zones'],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({
        behind: address,
        sort: 'updated',
        count: 'true',
        limit: String(SHOWN_ZONES),
      });
      const { domains, count } = (await ask<ZoneList>(`/v1/domains?${query.toString()}`, { signal })).body;
      return { zones: domains, total: count?.total ?? domains.length, isExact: count?.total_is_exact !== false };
    },
    refetchInterval: LOOK_AGAIN,
    staleTime: 0,
    enabled: isSignedIn,
  });
}

/** How far a name server is with one zone; `null` without a zone. */
export function useServerOfZone(address: string, zoneId: string | undefined) {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: ['name-servers', address, 'zone', zoneId],
    queryFn: async ({ signal }) => {
      const { servers } = (await ask<Publication>(`/v1/domains/${zoneId ?? ''}/publication`, { signal })).body;
      return servers.find((server) => server.address === address) ?? null;
    },
    refetchInterval: LOOK_AGAIN,
    staleTime: 0,
    enabled: isSignedIn && zoneId !== undefined,
  });
}
