import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { ownPath } from '../api/prefix.js';
import { actFor, actForAll, actingFor, actsForAll } from '../session/acting.js';
import { zoneAddress, zoneIn } from '../zones/zone-address.js';
import type { Origin } from './pending-store.js';
import { wantPlan } from './wanted-plan.js';

/** Whether this tab shows the zones of the tenant that the changes are for. */
export const isHere = (origin: Origin | null): boolean =>
  origin !== null && origin.tenant === actingFor() && origin.isForAll === actsForAll();

/** Opens the plan of pending changes from any page. */
export function useReview() {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  /** Acts for the tenant of the changes, as when they were made. */
  const turnTo = (origin: Origin): void => {
    if (isHere(origin)) return;
    if (origin.isForAll) actForAll();
    else actFor(origin.tenant);
    void queries.resetQueries();
  };
  const review = (place: string, origin: Origin): void => {
    turnTo(origin);
    const isOpen = zoneIn(ownPath()).toLowerCase() === origin.zone.toLowerCase();
    if (!isOpen) navigate(zoneAddress(origin.zone, 'records'));
    wantPlan(place);
  };
  return { review, turnTo };
}
