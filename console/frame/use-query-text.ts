import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';

const PAUSE = 150;

/** One parameter of the address. */
export function useParameter(name: string, absent = ''): readonly [string, (value: string) => void] {
  const [query, setQuery] = useSearchParams();
  const set = (value: string): void =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === absent) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true, state: window.history.state as unknown },
    );
  return [query.get(name) ?? absent, set];
}

/** A search text: shown immediately, applied after a pause. */
export function useSearchText(name: string) {
  const [sought, setSought] = useParameter(name);
  const [typed, setTyped] = useState(sought);
  const [last, setLast] = useState(sought);
  // The address has changed by itself: back, or a link.
  if (last !== sought) {
    setLast(sought);
    if (typed !== sought) setTyped(sought);
  }
  useEffect(() => {
    if (typed === sought) return undefined;
    const timer = setTimeout(() => {
      setLast(typed);
      setSought(typed);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return { sought: sought.slice(0, 255), typed, setTyped };
}
