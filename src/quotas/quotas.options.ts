import type { Quota } from './quota.js';

/** What quotas need of the configuration. */
export abstract class QuotasOptions {
  /** The limits of a tenant that was given none of its own. */
  abstract readonly defaults: Quota;
}
