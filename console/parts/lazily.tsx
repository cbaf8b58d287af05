import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { hasNewVersion, reloadOnce } from '../session/new-version.js';
import { LoadFailed } from './load-failed.js';

export interface Lazy<P> {
  (props: P): ReactNode;
  /** Begins to load it, for example when its button gets the focus. */
  readonly preload: () => void;
}

type Load<P> = () => Promise<ComponentType<P>>;

/** A component in a file of its own, loaded when it is first shown. Shows `waiting` meanwhile, and Retry after a failure. */
export function lazily<P extends object>(load: Load<P>, waiting: ReactNode = null): Lazy<P> {
  let loaded: ComponentType<P> | null = null;
  let loading: Promise<void> | null = null;
  const begin = (): Promise<void> =>
    (loading ??= load().then(
      (component) => void (loaded = component),
      (error: unknown) => {
        loading = null;
        throw error;
      },
    ));

  function Lazily(props: P) {
    const [Shown, setShown] = useState<ComponentType<P> | null>(() => loaded);
    const [failure, setFailure] = useState<{ readonly isOutdated: boolean } | null>(null);
    const [attempt, setAttempt] = useState(0);
    useEffect(() => {
      if (Shown !== null) return undefined;
      let isShown = true;
      const settle = async (): Promise<void> => {
        try {
          await begin();
          if (isShown) setShown(() => loaded);
        } catch {
          const isOutdated = await hasNewVersion();
          if (isShown && !(isOutdated && reloadOnce())) setFailure({ isOutdated });
        }
      };
      void settle();
      return () => {
        isShown = false;
      };
    }, [Shown, attempt]);
    if (Shown !== null) return <Shown {...props} />;
    if (failure === null) return waiting;
    const retry = (): void => {
      setFailure(null);
      setAttempt(attempt + 1);
    };
    return <LoadFailed isOutdated={failure.isOutdated} isRepeated={attempt > 0} onRetry={retry} />;
  }

  return Object.assign(Lazily, { preload: (): void => void begin().catch(() => undefined) });
}

/** Loads components once the browser has nothing else to do, so that they appear without delay. */
export function usePreloaded(components: readonly Pick<Lazy<never>, 'preload'>[]): void {
  useEffect(() => {
    const load = (): void => {
      for (const { preload } of components) preload();
    };
    // Safari has no idle callbacks.
    if (typeof window.requestIdleCallback !== 'function') {
      const timer = setTimeout(load, 1000);
      return () => clearTimeout(timer);
    }
    const request = window.requestIdleCallback(load);
    return () => window.cancelIdleCallback(request);
  }, []);
}
