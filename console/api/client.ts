import { proofOfPage, sessionLearner } from '../session/session.js';
import { Refusal } from './errors.js';
import { type Answer, exchange, type Question } from './http.js';
import type { SessionState } from './types.js';

/**
 * Asks the API on behalf of whoever has signed in.
 * @throws Refusal, NoAnswer
 */
export async function ask<Body>(path: string, question: Question = {}): Promise<Answer<Body>> {
  try {
    return await exchange<Body>(path, question);
  } catch (error) {
    // The API says 401 of what is not permitted too.
    if (!(error instanceof Refusal) || error.status !== 401 || !(await hasNewProof())) throw error;
    return exchange<Body>(path, question);
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
