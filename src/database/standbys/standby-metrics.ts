import { showGauge } from '../../observability/gauge.js';
import { Counter } from '../../observability/counter.js';
import type { Standby } from './standby.js';
import type { Fallback } from './standby-scope.js';

const READS = new Counter({
  name: 'zonewright_offloaded_reads_total',
  help: 'Lists, exports, histories, transfers and comparisons that may be read from a standby, by what they were read from.',
  labels: ['source'],
});
const FALLBACKS = new Counter({
  name: 'zonewright_standby_fallbacks_total',
  help: 'Times that a standby could not be read after all, and another server was.',
  labels: ['reason'],
});
const LAG = {
  name: 'zonewright_standby_lag_seconds',
  help: 'How long a standby took to show what the primary had acknowledged, or has not shown it.',
};
const READ = {
  name: 'zonewright_standby_read',
  help: 'Whether a standby is read: 1 or 0.',
};

/** @param source the standby, or `primary` */
export function countRead(source: string): void {
  READS.of(source).add();
}

export function countFallback(reason: Fallback): void {
  FALLBACKS.of(reason).add();
}

/** Returns what ends it. */
export function showStandbys(standbys: readonly Standby[]): () => void {
  const ends = [
    showGauge(
      LAG,
      () =>
        standbys.flatMap(({ label, lag }) => (lag === null ? [] : [{ labels: { server: label }, value: lag / 1000 }])),
      'max',
    ),
    showGauge(
      READ,
      () => standbys.map(({ label, state }) => ({ labels: { server: label }, value: state === 'read' ? 1 : 0 })),
      'max',
    ),
  ];
  return () => {
    for (const end of ends) end();
  };
}
