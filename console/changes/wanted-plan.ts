import { useEffect, useRef } from 'react';

const OPEN_PLAN = 'zonewright.open-plan';
const listeners = new Set<() => void>();

/** Has the plan of pending changes opened: now, or when the page of its zone is there. */
export function wantPlan(place: string): void {
  sessionStorage.setItem(OPEN_PLAN, place);
  for (const tell of listeners) tell();
}

/** Opens the plan that is wanted, also after a reload, or after a sign-in at the issuer. */
export function useWantedPlan(place: string, isOpen: boolean, review: () => void): void {
  const latest = useRef(review);
  useEffect(() => {
    latest.current = review;
  });
  useEffect(() => {
    const open = (): void => {
      if (sessionStorage.getItem(OPEN_PLAN) === place) latest.current();
    };
    open();
    listeners.add(open);
    return () => void listeners.delete(open);
  }, [place]);
  useEffect(() => {
    if (!isOpen) return undefined;
    sessionStorage.setItem(OPEN_PLAN, place);
    return () => sessionStorage.removeItem(OPEN_PLAN);
  }, [isOpen, place]);
}
