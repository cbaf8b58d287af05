import { Counter } from './counter.js';

/** Requests that are answered 429, by the limit that they have reached: of each there is one series. */
export const RATE_LIMIT_REFUSALS = new Counter({
  name: 'zonewright_rate_limited_total',
  help: 'Requests that were answered 429, by the limit: address, token, credentials or changes.',
  labels: ['limit'],
});
