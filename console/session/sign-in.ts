import { exchange } from '../api/http.js';
import type { SessionState, SignedOut, SignInRequest } from '../api/types.js';
import { leaveTo } from './leaving.js';
import { sessionIsUnknown, sessionLearner, signedIn, signedOut } from './session.js';

const AGAIN = 2000;

/** Finds out whether the browser has a session; a service that does not answer is asked again. */
export async function beginSession(): Promise<void> {
  const learn = sessionLearner();
  try {
    learn((await exchange<SessionState>('/console/session')).body);
  } catch (error) {
    sessionIsUnknown(error instanceof Error ? error.message : '');
    setTimeout(() => void beginSession(), AGAIN);
  }
}

/** @throws Refusal where the credential is not valid, NoAnswer */
export async function signIn(credential: SignInRequest): Promise<void> {
  signedIn((await exchange<SessionState>('/console/session', { method: 'POST', json: credential })).body);
}

/** @throws Refusal, NoAnswer: then the session is still there */
export async function signOut(): Promise<void> {
  const { body } = await exchange<SignedOut>('/console/session', { method: 'DELETE' });
  signedOut();
  // Else the issuer would sign the next person in as this one.
  if (body.sign_out_url !== null) leaveTo(body.sign_out_url);
}
