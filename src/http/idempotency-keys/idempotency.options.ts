import { inSection } from '../../config/option.js';
import { size } from '../../config/readers.js';

export const IDEMPOTENCY_OPTIONS = inSection('service:api', {
  maxKeptAnswers: {
    name: 'max_kept_answers',
    default: '64 MiB',
    reader: size,
    meaning:
      'answers that are kept for the Idempotency-Keys of a tenant, each with 1 KiB beside its body; beyond it requests with a new' +
      ' key are answered 429',
  },
});

/** How much of what was answered is kept. */
export abstract class IdempotencyOptions {
  /** Of one tenant, in octets. */
  abstract readonly perTenant: number;
}
