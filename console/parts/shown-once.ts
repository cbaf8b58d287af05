import { type RefObject, useId, useLayoutEffect, useRef, useSyncExternalStore } from 'react';

interface Shown {
  readonly id: string;
  readonly text: string;
  readonly retry: RefObject<(() => void) | undefined>;
}

let all: readonly Shown[] = [];
const listeners = new Set<() => void>();

function set(next: readonly Shown[]): void {
  all = next;
  for (const each of listeners) each();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Several requests of a page can fail for one reason, which is shown once. The first in place stands for the others.
 * @param text `null`: shown in any case
 * @returns whether this one is shown, and what retries all of them
 */
export function useShownOnce(text: string | null, retry: (() => void) | undefined) {
  const id = useId();
  const shown = useSyncExternalStore(subscribe, () => all);
  const latest = useRef(retry);
  useLayoutEffect(() => {
    latest.current = retry;
  });
  useLayoutEffect(() => {
    if (text === null) return undefined;
    set([...all, { id, text, retry: latest }]);
    return () => set(all.filter((one) => one.id !== id));
  }, [id, text]);
  const equal = shown.filter((one) => one.text === text);
  const first = equal[0]?.id ?? id;
  return {
    isShown: text === null || first === id,
    canRetry: retry !== undefined || equal.some((one) => one.retry.current !== undefined),
    retryAll: (): void => {
      if (text === null) retry?.();
      else for (const one of all.filter((other) => other.text === text)) one.retry.current?.();
    },
  };
}
