import { showGauge } from '../../observability/gauge.js';
import type { PoolMember } from './pool-member.js';
import type { ServerBacklog } from './server-backlog.js';

const LACKING = {
  name: 'zonewright_zones_to_deliver',
  help: 'Zones of which a name server of the pool does not have the latest serial yet.',
};
const OLDEST_LACK = {
  name: 'zonewright_oldest_delivery_seconds',
  help: 'How long a name server of the pool has been behind.',
};

const INCONSISTENT = {
  name: 'zonewright_inconsistent_zones',
  help: 'Zones of which a name server of the pool has the serial and answers otherwise.',
};

/** Shows what servers lack. Returns what ends that. */
export function showPoolMetrics(backlogs: ReadonlyMap<PoolMember, ServerBacklog>): () => void {
  const perServer = (valueOf: (backlog: ServerBacklog) => number) => () =>
    [...backlogs].map(([{ label }, backlog]) => ({ labels: { server: label }, value: valueOf(backlog) }));
  const hideCount = showGauge(
    LACKING,
    perServer(({ size }) => size),
  );
  const hideAge = showGauge(OLDEST_LACK, perServer(ageOf), 'max');
  const hideInconsistent = showGauge(
    INCONSISTENT,
    perServer(({ inconsistent }) => inconsistent),
    'max',
  );
  return () => {
    hideInconsistent();
    hideCount();
    hideAge();
  };
}

/** In seconds; 0 where nothing is lacked. */
function ageOf({ since }: ServerBacklog): number {
  return since === null ? 0 : (performance.now() - since) / 1000;
}
