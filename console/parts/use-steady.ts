import { useCallback, useLayoutEffect, useRef } from 'react';

/** One function for all renders, which does what the latest of them says: rows that are given it need not be drawn again. */
export function useSteady<Args extends readonly unknown[]>(act: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
