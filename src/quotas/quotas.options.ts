import type { Quota } from './quota.js';

/** What quotas need of the configuration. */
export abstract class QuotasOptions {
  /** The limits of a tenant for which no others are set. */
  abstract readonly defaults: Quota;
}
