import { Histogram, Counter } from '../../observability/metrics.js';

export const ATTEMPTS = new Counter({
  name: 'zonewright_webhook_attempts_total',
  help: 'Calls of webhooks, by how they ended: delivered, refused (another status), gone (410), blocked, timeout or failed.',
  labels: ['outcome'],
});

export const DURATIONS = new Histogram({
  name: 'zonewright_webhook_duration_seconds',
  help: 'How long calls of webhooks took that were answered.',
});

export const DELAYS = new Histogram(
  { name: 'zonewright_webhook_delay_seconds', help: 'From a change until a webhook was told of it.' },
  [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300, 3600, 86_400],
);

/** Lost events, unless replayed. */
export const GIVEN_UP = new Counter({
  name: 'zonewright_webhook_given_up_total',
  help: 'Events that a webhook never got: dead (a dead letter) or dropped (no room even there).',
  labels: ['as'],
});
