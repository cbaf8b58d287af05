import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/client.js';
import { Refusal } from '../api/errors.js';
import type { ZoneList } from '../api/types.js';
import { useIsSignedIn } from '../session/session.js';

/** How many of each kind are shown. */
export const MOST_FOUND = 50;

/** A record set as version 2 shows it, which is in no document that types are made from. */
export interface FoundSet {
  readonly id: string;
  readonly zone_name: string;
  readonly name: string;
  readonly type: string;
  readonly records: readonly string[];
}

interface Found {
  readonly zones: ZoneList['domains'];
  readonly sets: readonly FoundSet[];
  /** Why records could not be searched; `null` where they were. */
  readonly fault: string | null;
}

/** Zones and record sets of all zones that have a text in their names. */
export function useFound(q: string) {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: ['search', q],
    queryFn: async ({ signal }): Promise<Found> => {
      const [zones, { sets, fault }] = await Promise.all([zonesWith(q, signal), setsWith(q, signal)]);
      return { zones, sets, fault };
    },
    staleTime: 0,
    enabled: isSignedIn && q !== '',
  });
}

async function zonesWith(q: string, signal: AbortSignal): Promise<ZoneList['domains']> {
  const query = new URLSearchParams({ q, limit: String(MOST_FOUND) });
  return (await ask<ZoneList>(`/v1/domains?${query.toString()}`, { signal })).body.domains;
}

async function setsWith(q: string, signal: AbortSignal): Promise<Pick<Found, 'sets' | 'fault'>> {
  const query = new URLSearchParams({ name: `*${q.replaceAll('*', '')}*`, limit: String(MOST_FOUND) });
  try {
    const { body } = await ask<{ recordsets: readonly FoundSet[] }>(`/v2/recordsets?${query.toString()}`, { signal });
    return { sets: body.recordsets, fault: null };
  } catch (error) {
    // Version 2 may be off, and what is sought no name.
    if (error instanceof Refusal) return { sets: [], fault: error.status === 400 ? null : error.message };
    throw error;
  }
}
