import { type MetricValue, type Measured, exposeMetric } from './metric.js';

/** What several processes show together: as much as all of them, or as the one that has most. */
export type Sharing = 'sum' | 'max';

/**
 * Shows what is measured only when somebody asks for it.
 * @returns what ends that
 */
export function showGauge(
  { name, help }: Measured,
  read: () => readonly Omit<MetricValue, 'metricName'>[],
  aggregator: Sharing = 'sum',
): () => void {
  return exposeMetric(() => ({ name, help, type: 'gauge', aggregator, values: read() }));
}
