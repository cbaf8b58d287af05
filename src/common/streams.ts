import { ConcurrencyLimit, type ConcurrencyBounds } from './concurrency-limit.js';

/** Bounds how many answers of any length are under way: each of them holds some memory until its client has read it. */
export class Streams extends ConcurrencyLimit {
  constructor(bounds: ConcurrencyBounds) {
    super('long lists, exports and checks', bounds);
  }
}
