import type { Quota } from './quota.js';

/** What quotas need of the configuration. */
export abstract class QuotasOptions {
  /** The limits of a tenant for which no others are set. */
  abstract readonly defaults: Quota;
}

/** What the rate of changes needs of it. */
export abstract class ChangeRateOptions {
  /** What a tenant may change in a minute in this process, in weights of changes; 0: as much as it likes. */
  abstract readonly perMinute: number;
}

/** What the list of limits shows of it beside quotas. */
export abstract class LimitsOptions {
  /** Lowest ttl in seconds that anybody but an admin may set; `null`: none. */
  abstract readonly minTtl: number | null;
}
