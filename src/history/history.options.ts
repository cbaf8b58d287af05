import type { ConcurrencyLimit } from '../common/concurrency-limit.js';

/** What history needs of the configuration. */
export abstract class HistoryOptions {
  /** Bounds how many comparisons are under way. */
  abstract readonly comparisons: ConcurrencyLimit;
}
