import { type Instant, readInstant } from '../../../common/clock.js';
import { type FieldValidator, ServiceError } from '../../../common/service-error.js';
import type { RecordsOptions } from '../../records.options.js';

interface MaySayExpiry {
  readonly expires_at?: unknown;
}

/**
 * What is said of a record, with `expires_at` as the core has it.
 * @throws ServiceError `invalid_object` for what is no time, and for any where the service takes none (behaviour 14.5)
 */
export function recordFieldsOf<Said extends MaySayExpiry>(
  said: Said,
  { expiringRecords }: RecordsOptions,
): Said & { readonly expiresAt?: Instant | null } {
  const { expires_at } = said;
  if (expires_at === undefined) return said;
  if (!expiringRecords) throw fault('additionalProperties', 'expires_at is not a known field; leave it out.');
  return { ...said, expiresAt: expires_at === null ? null : readExpiry(expires_at) };
}

function readExpiry(value: unknown): Instant {
  const instant = typeof value === 'string' ? readInstant(value) : null;
  if (instant === null)
    throw fault('format', 'expires_at is a time such as 2026-11-20T08:30:00Z, or null for a record that stays.');
  if (instant > Number.MAX_SAFE_INTEGER) throw fault('maximum', 'expires_at is a time before the year 2255.');
  return instant;
}

function fault(validator: FieldValidator, message: string): ServiceError {
  return ServiceError.ofField('invalid_object', 'expires_at', validator, message);
}
