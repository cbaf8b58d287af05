import { useCallback, useEffect, useRef, useState } from 'react';
import { isConflict, isUnanswered } from '../api/errors.js';
import type { Base } from './pending.js';
import {
  type Applied,
  applyPlan,
  type Conflict,
  conflictOf,
  type PlanSubject,
  type Room,
  type Trial,
  tryPlan,
} from './plan-requests.js';

export type PlanState =
  | { readonly step: 'planning' }
  | { readonly step: 'planned'; readonly trial: Trial }
  | { readonly step: 'applying'; readonly trial: Trial; readonly attempt: number }
  /** Nothing was decided: the request is sent again as it was. */
  | { readonly step: 'unsent'; readonly trial: Trial; readonly error: unknown }
  | { readonly step: 'conflict'; readonly conflict: Conflict }
  | { readonly step: 'failed'; readonly error: unknown };

const pause = (seconds: number): Promise<void> => new Promise((resume) => setTimeout(resume, seconds * 1000));

/** The plan of a subject on a state of its zone: tried at once, and again when either changes. */
export function usePlan(
  zoneId: string,
  subject: PlanSubject,
  base: Base,
  room: Room,
  onApplied: (applied: Applied) => void,
) {
  const [state, setState] = useState<PlanState>({ step: 'planning' });
  const [round, setRound] = useState(0);
  const key = useRef('');

  useEffect(() => {
    const ended = new AbortController();
    key.current = crypto.randomUUID();
    setState({ step: 'planning' });
    const show = (next: PlanState): void => {
      if (!ended.signal.aborted) setState(next);
    };
    planned(zoneId, subject, base, room, ended.signal).then(show, (error: unknown) => show({ step: 'failed', error }));
    return () => ended.abort();
  }, [zoneId, subject, base, room, round]);

  const apply = useCallback(
    async (trial: Trial, message: string): Promise<void> => {
      for (let attempt = 0; ; attempt += 1) {
        setState({ step: 'applying', trial, attempt });
        try {
          const serial = await applyPlan(zoneId, trial.subject, base, key.current, message);
          onApplied({ serial, size: trial.rows.length });
          return;
        } catch (error) {
          if (isUnanswered(error)) {
            // It may have been carried out: only the answer tells.
            setState({ step: 'applying', trial, attempt: attempt + 1 });
            await pause(error.retryAfter);
            continue;
          }
          setState(isConflict(error) ? await conflictState(zoneId, base) : { step: 'unsent', trial, error });
          return;
        }
      }
    },
    [zoneId, base, onApplied],
  );

  return { state, apply, again: () => setRound((n) => n + 1) };
}

async function planned(
  zoneId: string,
  subject: PlanSubject,
  base: Base,
  room: Room,
  signal: AbortSignal,
): Promise<PlanState> {
  try {
    return { step: 'planned', trial: await tryPlan(zoneId, subject, base, room, signal) };
  } catch (error) {
    if (!isConflict(error)) throw error;
    return { step: 'conflict', conflict: await conflictOf(zoneId, base, signal) };
  }
}

async function conflictState(zoneId: string, base: Base): Promise<PlanState> {
  try {
    return { step: 'conflict', conflict: await conflictOf(zoneId, base, AbortSignal.timeout(60_000)) };
  } catch (error) {
    return { step: 'failed', error };
  }
}
