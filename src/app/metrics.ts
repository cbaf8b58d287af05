import cluster from 'node:cluster';
import type { Config } from '../config/config.js';
import { metricsText, metricsTextOfWorkers } from '../observability/metrics/metrics-text.js';
import { passFigures, tellFigures } from '../observability/metrics/worker-metrics.js';
import { readableListenError, urlOf } from './listening.js';

/** Figures at an address of their own. */
export interface RunningMetrics {
  /** `http://127.0.0.1:9101/metrics`, with the port that was really taken. */
  readonly url: string;
  stop(): void;
}

/**
 * Shows the figures of this process where the configuration says so; a worker tells them to the process that has started it.
 * @throws Error with one line for the operator where it cannot listen
 */
export async function startMetrics(config: Config): Promise<RunningMetrics | null> {
  if (!cluster.isWorker) return listen(config, metricsText);
  tellFigures();
  return null;
}

/** The same for workers, in the process that starts them: it asks all of them. */
export async function startMetricsOfWorkers(config: Config): Promise<RunningMetrics | null> {
  passFigures();
  return listen(config, metricsTextOfWorkers);
}

async function listen({ metrics }: Config, text: () => Promise<string>): Promise<RunningMetrics | null> {
  if (metrics.listen === null) return null;
  const { startMetricsServer } = await import('../observability/metrics/metrics-server.js');
  try {
    const server = await startMetricsServer(metrics.listen, text);
    return { url: `${urlOf(server.address)}/metrics`, stop: () => server.stop() };
  } catch (error) {
    throw readableListenError(error, metrics.listen, 'metrics');
  }
}
