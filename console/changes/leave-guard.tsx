import { useEffect } from 'react';
import { isLeaving } from '../session/leaving.js';
import { areAllKept, useHasPending } from './pending-store.js';

/** Has the browser ask before a tab with pending changes is closed, or left when it cannot keep them. */
export function LeaveGuard() {
  const hasPending = useHasPending();
  useEffect(() => {
    if (!hasPending) return undefined;
    const ask = (event: BeforeUnloadEvent): void => {
      if (!isLeaving() || !areAllKept()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [hasPending]);
  return null;
}
