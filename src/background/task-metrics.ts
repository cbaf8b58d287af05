import { Counter } from '../observability/counter.js';

export const FAILURES = new Counter({
  name: 'zonewright_background_failures_total',
  help: 'Runs of background tasks that failed.',
  labels: ['task'],
});
export const SUCCEEDED = {
  name: 'zonewright_background_last_success_timestamp_seconds',
  help: 'When a run of a background task last succeeded, in seconds since 1970.',
};
export const DURATION = {
  name: 'zonewright_background_run_duration_seconds',
  help: 'How long the latest run of a background task took.',
};
