import { useSyncExternalStore } from 'react';
import type { SessionState, SignInMethods } from '../api/types.js';

/**
 * Who has signed in, as far as the page knows: the credential is the service's, behind a cookie that no script reads.
 */
export type Session =
  | { readonly step: 'asking'; readonly fault: string | null }
  /** With `hasEnded` somebody was signed in, whose work is still open. */
  | { readonly step: 'signed out'; readonly ways: SignInMethods; readonly hasEnded: boolean }
  | { readonly step: 'signed in'; readonly ways: SignInMethods };

let session: Session = { step: 'asking', fault: null };
let csrfToken: string | null = null;
/** How often somebody has signed in or out: an answer to what was asked before says nothing of now. */
let turns = 0;
const listeners = new Set<() => void>();

export function useSession(): Session {
  return useSyncExternalStore(listen, () => session);
}

export const useIsSignedIn = (): boolean => useSession().step === 'signed in';

/**
 * Call it before the service is asked how things stand.
 * @returns takes the answer, unless somebody has signed in or out meanwhile
 */
export function sessionLearner(): (state: SessionState) => void {
  const turn = turns;
  return (state) => {
    if (turn === turns) setSession(state);
  };
}

export function signedIn(state: SessionState): void {
  turns += 1;
  setSession(state);
}

function setSession(state: SessionState): void {
  const wasOpen = session.step === 'signed in' || (session.step === 'signed out' && session.hasEnded);
  csrfToken = state.csrf_token;
  // Where nobody signs in, everybody is.
  const needsNobody = !Object.values(state.ways).some(Boolean);
  if (state.signed_in || needsNobody) change({ step: 'signed in', ways: state.ways });
  else change({ step: 'signed out', ways: state.ways, hasEnded: wasOpen });
}

export function sessionIsUnknown(fault: string): void {
  change({ step: 'asking', fault });
}

/** Whoever signs out leaves nothing open. */
export function signedOut(): void {
  turns += 1;
  csrfToken = null;
  if (session.step !== 'asking') change({ step: 'signed out', ways: session.ways, hasEnded: false });
}

/** What proves that a request comes from this page. */
export const proofOfPage = (): string | null => csrfToken;

function change(next: Session): void {
  session = next;
  for (const tell of listeners) tell();
}

function listen(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
