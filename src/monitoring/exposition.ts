import type { Registry } from 'prom-client';
import { currentMetrics, type Metric } from '../observability/metrics.js';

/** Text format of Prometheus. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** In milliseconds: observation of the event-loop delay before its first value. */
const FIRST_LOOK = 50;

/** prom-client names these gauges `_total`, which is only for counters. */
const MISNAMED = /^nodejs_active_\w+_total$/;

let runtime: Promise<Registry> | null = null;

/** Metrics of the service and of Node.js, such as memory and event-loop delay. */
export async function metricsOfProcess(): Promise<Metric[]> {
  const metrics = await (await (runtime ??= watchRuntime())).getMetricsAsJSON();
  return [...currentMetrics(), ...metrics.map(asMetric).filter(({ name }) => !MISNAMED.test(name))];
}

/** Merges the metrics of several processes. */
export async function exposition(ofProcesses: readonly Metric[][]): Promise<string> {
  const { AggregatorRegistry } = await promClient();
  return AggregatorRegistry.aggregate([...ofProcesses]).metrics();
}

/** Loading takes 100 ms, and most processes have no scrape. */
function promClient(): Promise<typeof import('prom-client')> {
  return import('prom-client');
}

async function watchRuntime(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await promClient();
  const register = new Registry();
  collectDefaultMetrics({ register });
  await new Promise((resolve) => setTimeout(resolve, FIRST_LOOK));
  return register;
}

/** prom-client omits the start time from sums; use the earliest. */
function asMetric(metric: object): Metric {
  // The types of prom-client say number, but the values are strings.
  const exported = metric as Omit<Metric, 'aggregator'> & { readonly aggregator: Metric['aggregator'] | 'omit' };
  return { ...exported, aggregator: exported.aggregator === 'omit' ? 'min' : exported.aggregator };
}
