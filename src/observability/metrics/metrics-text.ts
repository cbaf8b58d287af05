import cluster from 'node:cluster';
import { exposition, metricsOfProcess } from './exposition.js';
import { figuresOfSiblings, figuresOfWorkers } from './worker-metrics.js';

/**
 * What Prometheus reads: the figures of this process, or the sum of all that share its port.
 * @throws Error when one of those does not answer in time
 */
export async function metricsText(): Promise<string> {
  return exposition(cluster.isWorker ? [...(await figuresOfSiblings())] : [await metricsOfProcess()]);
}

/** The same in the process that has started the others. */
export async function metricsTextOfWorkers(): Promise<string> {
  return exposition(await figuresOfWorkers());
}
