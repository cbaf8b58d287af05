import { type Instant, SECOND } from '../../common/clock.js';

const LONGEST = 60 * SECOND;
/** Of the time that has been waited already. */
const SHARE = 1 / 8;

/** When to look once more for what has been waited for since then: seldom for what takes long. */
export function backoff(since: Instant, now: Instant, longest = LONGEST): Instant {
  return now + Math.min(longest, Math.max(SECOND, Math.round((now - since) * SHARE)));
}
