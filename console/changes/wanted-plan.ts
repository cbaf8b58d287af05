import { useEffect, useRef } from 'react';

const OPEN_PLAN = 'zonewright.open-plan';
/** For a storage without room. */
let wanted: string | null = null;
const listeners = new Set<() => void>();

/** Has the plan of pending changes opened: now, or when the page of its zone is there. */
export function wantPlan(place: string): void {
  keepWanted(place);
  for (const tell of listeners) tell();
}

function keepWanted(place: string | null): void {
  wanted = place;
  sessionStorage.removeItem(OPEN_PLAN);
  if (place === null) return;
  try {
    sessionStorage.setItem(OPEN_PLAN, place);
  } catch {
    // The plan does not survive a reload.
  }
}

/** Opens the plan that is wanted, also after a reload, or after a sign-in at the issuer. */
export function useWantedPlan(place: string, isOpen: boolean, review: () => void): void {
  const latest = useRef(review);
  useEffect(() => {
    latest.current = review;
  });
  useEffect(() => {
    const open = (): void => {
      if ((wanted ?? sessionStorage.getItem(OPEN_PLAN)) === place) latest.current();
    };
    open();
    listeners.add(open);
    return () => void listeners.delete(open);
  }, [place]);
  useEffect(() => {
    if (!isOpen) return undefined;
    keepWanted(place);
    return () => keepWanted(null);
  }, [isOpen, place]);
}
