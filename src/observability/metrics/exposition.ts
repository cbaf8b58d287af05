import type { Registry } from 'prom-client';
import { currentFigures, type Figure } from '../figure.js';

/** The media type of the text format of Prometheus. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** How long the delay of the event loop is observed before it is shown for the first time, in milliseconds. */
const FIRST_LOOK = 50;

/** Gauges that prom-client calls `_total`, as only counters may be called. */
const MISNAMED = /^nodejs_active_\w+_total$/;

type PromClient = typeof import('prom-client');

let runtime: Promise<Registry> | null = null;

/** The figures of this process: ours, and those of Node itself, such as memory, processor time and event-loop delay. */
export async function figuresOfProcess(): Promise<Figure[]> {
  const figures = await (await (runtime ??= watchRuntime())).getMetricsAsJSON();
  return [...currentFigures(), ...figures.map(asFigure).filter(({ name }) => !MISNAMED.test(name))];
}

/** What Prometheus reads: the figures of one or several processes, as one. */
export async function exposition(ofProcesses: readonly Figure[][]): Promise<string> {
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
function asFigure(metric: object): Figure {
  // Its types say that kinds are numbers; they are words.
  const figure = metric as Omit<Figure, 'aggregator'> & { readonly aggregator: Figure['aggregator'] | 'omit' };
  return { ...figure, aggregator: figure.aggregator === 'omit' ? 'min' : figure.aggregator };
}
