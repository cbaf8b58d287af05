import { Histogram } from '../../observability/histogram.js';
import { Counter } from '../../observability/counter.js';

const labels = ['listener'];

export const DELIVERED = new Counter({
  name: 'zonewright_listener_entries_total',
  help: 'Entries of journals that change listeners have processed.',
  labels,
});
export const FAILURES = new Counter({
  name: 'zonewright_listener_failures_total',
  help: 'Deliveries that a change listener has refused, or not processed in time.',
  labels,
});
export const SKIPPED = new Counter({
  name: 'zonewright_listener_skipped_total',
  help: 'Entries that were removed from the history before a change listener had processed them.',
  labels,
});
/** In seconds. */
export const DELAY = new Histogram({
  name: 'zonewright_listener_delay_seconds',
  help: 'From a change until a change listener has processed it.',
  labels,
});
export const LAG = {
  name: 'zonewright_listener_lag_seconds',
  help: 'How old the oldest change is that a change listener has not processed.',
};
export const ZONES_WAITING = {
  name: 'zonewright_listener_zones_waiting',
  help: 'Zones with changes that a change listener has not processed: waiting, or failing and to be tried again.',
};
export const ENTRIES_WAITING = {
  name: 'zonewright_listener_entries_waiting',
  help: 'Entries that a change listener had not processed when all zones were last looked at.',
};
