import { applyDecorators } from '@nestjs/common';
import { IsInt, Max, Min } from '../../http/bodies/class-validator.js';
import { MAX_TTL } from '../../common/field-limits.js';
import { because } from '../../common/refusal-facts.js';
import { ServiceError } from '../../common/service-error.js';

/** Version 2 and zone files set a ttl of 0 too. */
const LOWEST_NEW_TTL = 1;

/** Checks a ttl that is new. */
export function IsNewTtl(): PropertyDecorator {
  return isTtlFrom(LOWEST_NEW_TTL);
}

/** Checks a ttl of something that may have the ttl 0 already: `assertTtlKept` tells. */
export function IsTtl(): PropertyDecorator {
  return isTtlFrom(0);
}

// class-validator reports the first check that fails: the type before the range.
const isTtlFrom = (min: number): PropertyDecorator => applyDecorators(IsInt(), Min(min), Max(MAX_TTL));

/** How the API document speaks of them. */
export const NEW_TTL = { type: 'integer', minimum: LOWEST_NEW_TTL, maximum: MAX_TTL, example: 3600 } as const;
export const ANY_TTL = { ...NEW_TTL, minimum: 0 } as const;

/**
 * What has a ttl of 0 can be sent back as it was read; nothing else is given one (behaviour 4.4).
 * @param before what there is already, `null` for something new
 * @throws ServiceError `invalid_object`
 */
export function assertTtlKept(ttl: number | null | undefined, before: { readonly ttl: number | null } | null): void {
  if (ttl === null || ttl === undefined || ttl >= LOWEST_NEW_TTL || ttl === before?.ttl) return;
  throw ServiceError.ofField(
    'invalid_object',
    'ttl',
    'minimum',
    `ttl must not be less than ${LOWEST_NEW_TTL}.`,
    because('minimum', { minimum: LOWEST_NEW_TTL }),
  );
}
