import cluster from 'node:cluster';
import { exposition, figuresOfProcess } from './exposition.js';
import { figuresOfSiblings, figuresOfWorkers } from './worker-figures.js';

/**
 * What Prometheus reads: the figures of this process, or the sum of all that share its port.
 * @throws Error when one of those does not answer in time
 */
export async function metricsText(): Promise<string> {
  return exposition(cluster.isWorker ? [...(await figuresOfSiblings())] : [await figuresOfProcess()]);
}

/** The same in the process that has started the others. */
export async function metricsTextOfWorkers(): Promise<string> {
  return exposition(await figuresOfWorkers());
}
