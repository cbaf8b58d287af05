import type { Registry } from 'prom-client';
import { currentMetrics, type Metric } from '../metric.js';

/** The media type of the text format of Prometheus. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** How long the delay of the event loop is observed before it is shown for the first time, in milliseconds. */
const FIRST_LOOK = 50;

/** Gauges that prom-client calls `_total`, as only counters may be called. */
const MISNAMED = /^nodejs_active_\w+_total$/;

type PromClient = typeof import('prom-client');

let runtime: Promise<Registry> | null = null;

/** The figures of this process: ours, and those of Node itself, such as memory, processor time and event-loop delay. */
export async function metricsOfProcess(): Promise<Metric[]> {
  const metrics = await (await (runtime ??= watchRuntime())).getMetricsAsJSON();
  return [...currentMetrics(), ...metrics.map(asMetric).filter(({ name }) => !MISNAMED.test(name))];
}

/** What Prometheus reads: the figures of one or several processes, as one. */
export async function exposition(ofProcesses: readonly Metric[][]): Promise<string> {
  const { AggregatorRegistry } = await promClient();
  return AggregatorRegistry.aggregate([...ofProcesses]).metrics();
}

/** It takes a tenth of a second to load, and most processes are never asked. */
function promClient(): Promise<PromClient> {
  return import('prom-client');
}

async function watchRuntime(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await promClient();
  const register = new Registry();
  collectDefaultMetrics({ register });
  await new Promise((resolve) => setTimeout(resolve, FIRST_LOOK));
  return register;
}

/** What prom-client leaves out of sums, the time of the start, is that of the process that has run for longest. */
function asMetric(metric: object): Metric {
  // Its types say that kinds are numbers; they are words.
  const exported = metric as Omit<Metric, 'aggregator'> & { readonly aggregator: Metric['aggregator'] | 'omit' };
  return { ...exported, aggregator: exported.aggregator === 'omit' ? 'min' : exported.aggregator };
}
