import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api/client.js';
import type { RecordList, Zone } from '../api/types.js';
import type { Entry } from '../changes/pending.js';
import { useIsSignedIn } from '../session/session.js';
import { type SetMember, ttlOfMixedSet } from './set-ttl.js';

/**
 * Whether a record in a form would change its own TTL or that of others (behavior 4.6).
 * @returns the resulting TTL, and a lookup to call on leaving a control
 */
export function useSetTtl(own: SetMember | null, entries: readonly Entry[], zone: Zone) {
  const isSignedIn = useIsSignedIn();
  const [asked, setAsked] = useState<Pick<SetMember, 'name' | 'type'> | null>(own);
  const { data } = useQuery({
    queryKey: ['records', zone.id, 'set', asked?.name, asked?.type],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ name: asked?.name ?? '', type: asked?.type ?? '' });
      return (await ask<RecordList>(`/v1/domains/${zone.id}/records?${query.toString()}`, { signal })).body.records;
    },
    // An invalid name has no set, and the form reports it.
    retry: false,
    enabled: isSignedIn && asked !== null,
  });
  const isOfSet = own !== null && own.name === asked?.name && own.type === asked.type;
  const ttl = isOfSet && data !== undefined ? ttlOfMixedSet(own, data, entries, zone.ttl) : null;
  const look = (): void => {
    if (own !== null && !isOfSet) setAsked(own);
  };
  return { ttl, look };
}
