import { mayGoBelowMinimumTtl } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import { because } from '../common/refusal-facts.js';
import { ServiceError } from '../common/service-error.js';

/** @throws ServiceError `invalid_ttl` for a ttl below the configured minimum, unless an admin sets it */
export function assertTtlAllowed(ttl: number | null | undefined, minTtl: number | null, caller: Caller): void {
  if (ttl === null || ttl === undefined || minTtl === null || ttl >= minTtl || mayGoBelowMinimumTtl(caller)) return;
  throw ServiceError.ofField(
    'invalid_ttl',
    'ttl',
    'minimum',
    `The lowest ttl here is ${minTtl} seconds.`,
    because('minimum', { minimum: minTtl }),
  );
}
