import { useQuery } from '@tanstack/react-query';
import type { ParentLook } from '../api/types.js';
import { useIsSignedIn } from '../session/session.js';
import { lookAtParent } from './move-api.js';

/** Polling intervals in milliseconds: a delegation takes minutes to days. */
const FIRST_LOOK = 5_000;
const LAST_LOOK = 300_000;

/** @param isAwaited whether the service looks again, ever more seldom */
export function useParentLook(zoneId: string, isAwaited: (look: ParentLook) => boolean) {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: ['parent-look', zoneId],
    queryFn: ({ signal }) => lookAtParent(zoneId, signal),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data !== null && data !== undefined && isAwaited(data)
        ? Math.min(FIRST_LOOK * 2 ** Math.max(0, dataUpdateCount - 1), LAST_LOOK)
        : false,
    staleTime: 0,
    enabled: isSignedIn,
  });
}
