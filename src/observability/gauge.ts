import { type FigureValue, type Measured, show } from './figure.js';

/** What several processes show together: as much as all of them, or as the one that has most. */
export type Sharing = 'sum' | 'max';

/**
 * Shows what is measured only when somebody asks for it.
 * @returns what ends that
 */
export function showGauge(
  { name, help }: Measured,
  read: () => readonly Omit<FigureValue, 'metricName'>[],
  aggregator: Sharing = 'sum',
): () => void {
  return show(() => ({ name, help, type: 'gauge', aggregator, values: read() }));
}
