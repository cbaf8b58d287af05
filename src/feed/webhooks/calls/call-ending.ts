import { type Instant, SECOND } from '../../../common/clock.js';
import type { Attempt } from '../delivery.repository.js';
import type { TargetAnswer } from './target-call.js';
import { ATTEMPTS } from '../webhook-metrics.js';

/** Between two attempts, in seconds. */
const LONGEST_DELAY = 3600;
/** What a target can ask for, in seconds. */
const LONGEST_RETRY_AFTER = 86_400;

/** How an attempt has ended, and when the next one is to be made where that is not said by their number. */
export interface Ending extends Omit<Attempt, 'id' | 'attempts'> {
  readonly retryAfter: number | null;
  readonly isGone: boolean;
}

export function endingOf({ status: answer, retryAfter }: TargetAnswer): Ending {
  if (answer >= 200 && answer < 300) {
    ATTEMPTS.of('delivered').add();
    return { status: 'delivered', answer, fault: null, retryAfter: null, isGone: false };
  }
  const isGone = answer === 410;
  ATTEMPTS.of(isGone ? 'gone' : 'refused').add();
  const fault = `it answered ${answer}`;
  const asked = answer === 429 || answer === 503 ? retryAfter : null;
  return { status: isGone ? 'dead' : 'waiting', answer, fault, retryAfter: asked, isGone };
}

/** Twice as long each time, up to an hour, and by chance up to half of it shorter, so that targets are not called in waves. */
export function delayAfter(attempts: number, first: number, retryAfter: number | null): Instant {
  const longest = Math.min(first * 2 ** Math.min(attempts - 1, 20), LONGEST_DELAY);
  const delay = longest * (1 - Math.random() / 2);
  return Math.ceil(Math.max(delay, Math.min(retryAfter ?? 0, LONGEST_RETRY_AFTER)) * SECOND);
}
