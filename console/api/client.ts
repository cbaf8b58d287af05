import { isSessionOver, proofOfPage, sessionLearner } from '../session/session.js';
import { Refusal, SessionOver } from './errors.js';
import { type Answer, exchange, type Question } from './http.js';
import type { SessionState } from './types.js';

/**
 * Sends API requests with the session of the signed-in user.
 * @throws Refusal, NoAnswer, SessionOver
 */
export async function ask<Body>(path: string, question: Question = {}): Promise<Answer<Body>> {
  try {
    return await exchange<Body>(path, question);
  } catch (error) {
    // The API also answers 401 to forbidden requests.
    if (!(error instanceof Refusal) || error.status !== 401) throw error;
    if (await hasNewProof()) return exchange<Body>(path, question);
    throw isSessionOver() ? new SessionOver() : error;
  }
}

/** Whether another tab has signed in since; where the session is over, the page learns it. */
async function hasNewProof(): Promise<boolean> {
  const before = proofOfPage();
  const learn = sessionLearner();
  learn((await exchange<SessionState>('/console/session')).body);
  const now = proofOfPage();
  return now !== null && now !== before;
}
