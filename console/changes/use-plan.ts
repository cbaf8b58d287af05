import { useCallback, useEffect, useRef, useState } from 'react';
import { isConflict, isSignedOut, isUnanswered, type NoAnswer } from '../api/errors.js';
import { signedInAgain } from '../session/session.js';
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
  /** Planning continues by itself after a sign-in (`null`) or when the service answers. */
  | { readonly step: 'interrupted'; readonly error: NoAnswer | null }
  /** With `isSignedOut`, applying continues by itself after a sign-in. */
  | { readonly step: 'applying'; readonly trial: Trial; readonly attempt: number; readonly isSignedOut: boolean }
  /** Nothing was decided: the request is sent again as it was. */
  | { readonly step: 'unsent'; readonly trial: Trial; readonly error: unknown }
  | { readonly step: 'conflict'; readonly conflict: Conflict }
  | { readonly step: 'failed'; readonly error: unknown };

const pause = (seconds: number): Promise<void> => new Promise((resume) => setTimeout(resume, seconds * 1000));

/** Tries a plan against a zone state immediately, and again when either changes. */
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
    const plan = (): Promise<PlanState> => planned(zoneId, subject, base, room, ended.signal);
    resumed(plan, show, ended.signal).then(show, (error: unknown) => show({ step: 'failed', error }));
    return () => ended.abort();
  }, [zoneId, subject, base, room, round]);

  const apply = useCallback(
    async (trial: Trial, message: string): Promise<void> => {
      for (let attempt = 0; ; attempt += 1) {
        setState({ step: 'applying', trial, attempt, isSignedOut: false });
        try {
          const serial = await applyPlan(zoneId, trial.subject, base, key.current, message);
          onApplied({ serial, size: trial.rows.length });
          return;
        } catch (error) {
          if (isUnanswered(error)) {
            // It may have been carried out: only the answer tells.
            setState({ step: 'applying', trial, attempt: attempt + 1, isSignedOut: false });
            await pause(error.retryAfter);
            continue;
          }
          if (isSignedOut(error)) {
            setState({ step: 'applying', trial, attempt, isSignedOut: true });
            await signedInAgain();
            continue;
          }
          // Planning again shows the changes of others, also after an interruption.
          if (isConflict(error)) setRound((n) => n + 1);
          else setState({ step: 'unsent', trial, error });
          return;
        }
      }
    },
    [zoneId, base, onApplied],
  );

  return { state, apply, again: () => setRound((n) => n + 1) };
}

/** Tries again after a sign-in, and while the service does not answer. */
async function resumed(
  plan: () => Promise<PlanState>,
  show: (state: PlanState) => void,
  signal: AbortSignal,
): Promise<PlanState> {
  for (;;) {
    try {
      return await plan();
    } catch (error) {
      if (signal.aborted || !(isUnanswered(error) || isSignedOut(error))) throw error;
      show({ step: 'interrupted', error: isUnanswered(error) ? error : null });
      await (isUnanswered(error) ? pause(error.retryAfter) : signedInAgain());
    }
  }
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
