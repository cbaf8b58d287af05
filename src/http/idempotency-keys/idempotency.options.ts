import { inSection, option } from '../../config/option.js';
import { size } from '../../config/readers.js';

export const IDEMPOTENCY_OPTIONS = inSection('service:api', {
  maxKeptAnswers: option(
    size,
    '64 MiB',
    'answers that are kept for the Idempotency-Keys of a tenant, each with 1 KiB beside its body; beyond it requests with a new' +
      ' key are answered 429',
  ),
});

export abstract class IdempotencyOptions {
  /** Octets. */
  abstract readonly perTenant: number;
}
