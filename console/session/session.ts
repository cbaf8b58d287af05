import { useSyncExternalStore } from 'react';
import type { SessionState, SignInMethods } from '../api/types.js';

/** The session as the page knows it: the service keeps the credential, and scripts cannot read the cookie. */
export type Session =
  | { readonly step: 'asking'; readonly fault: string | null }
  /** With `hasEnded` somebody was signed in, whose work is still open. */
  | { readonly step: 'signed out'; readonly ways: SignInMethods; readonly hasEnded: boolean }
  | { readonly step: 'signed in'; readonly ways: SignInMethods };

let session: Session = { step: 'asking', fault: null };
let csrfToken: string | null = null;
/** Counts sign-ins and sign-outs: responses to earlier requests are stale. */
let turns = 0;
const listeners = new Set<() => void>();

export function useSession(): Session {
  return useSyncExternalStore(listen, () => session);
}

const isSignedIn = (): boolean => session.step === 'signed in';

/** Whether the session has ended under a user whose work is still open. */
export const isSessionOver = (): boolean => session.step === 'signed out' && session.hasEnded;

/** Resolves when a user is signed in. */
export function signedInAgain(): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!isSignedIn()) return;
      listeners.delete(look);
      resolve();
    };
    listeners.add(look);
    look();
  });
}

export const useIsSignedIn = (): boolean => useSession().step === 'signed in';

/**
 * Call it before requesting the session state.
 * @returns accepts the response, unless the user has signed in or out meanwhile
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
  // Without ways to sign in, every user counts as signed in.
  const needsNobody = !Object.values(state.ways).some(Boolean);
  if (state.signed_in || needsNobody) change({ step: 'signed in', ways: state.ways });
  else change({ step: 'signed out', ways: state.ways, hasEnded: wasOpen });
}

export function sessionIsUnknown(fault: string): void {
  change({ step: 'asking', fault });
}

/** Signing out clears all state. */
export function signedOut(): void {
  turns += 1;
  csrfToken = null;
  if (session.step !== 'asking') change({ step: 'signed out', ways: session.ways, hasEnded: false });
}

/** Proves that a request comes from this page. */
export const proofOfPage = (): string | null => csrfToken;

function change(next: Session): void {
  session = next;
  for (const tell of listeners) tell();
}

function listen(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
