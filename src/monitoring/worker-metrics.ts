import cluster, { type Worker } from 'node:cluster';
import { tellParent } from '../common/tell-parent.js';
import { currentMetrics, type Metric, Counter } from '../observability/metrics.js';
import { metricsOfProcess, exposition } from './exposition.js';

/** In milliseconds: a busy process answers late. */
const TIME_LIMIT = 5000;

const ENDED = {
  name: 'zonewright_workers_ended_total',
  help: 'Workers that have ended although the service goes on, by what ended them.',
  labels: ['by'],
};
const ENDINGS = new Counter(ENDED);

/** Messages between processes. */
type Message =
  /** Worker to parent: the worker can send metrics. */
  | { readonly zonewright: 'tells' }
  /** Worker to parent and back: metrics of all workers. */
  | { readonly zonewright: 'wants-all'; readonly id: number }
  | { readonly zonewright: 'all'; readonly id: number; readonly metrics: readonly Metric[][] | null }
  /** Parent to worker and back: metrics of this worker. */
  | { readonly zonewright: 'wants-own'; readonly id: number }
  | { readonly zonewright: 'own'; readonly id: number; readonly metrics: readonly Metric[] };

class Questions<Answer> {
  private readonly open = new Map<number, (answer: Answer) => void>();
  private count = 0;

  /** Rejects after the time limit. */
  ask(send: (id: number) => void): Promise<Answer> {
    const id = (this.count += 1);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.open.delete(id);
        reject(new Error('a process did not send its metrics in time'));
      }, TIME_LIMIT);
      this.open.set(id, (answer) => {
        clearTimeout(timer);
        this.open.delete(id);
        resolve(answer);
      });
      send(id);
    });
  }

  answer(id: number, answer: Answer): void {
    this.open.get(id)?.(answer);
  }
}

const questionsToParent = new Questions<readonly Metric[][] | null>();
/** `null` from a worker that has ended meanwhile. */
const questionsToWorkers = new Questions<readonly Metric[] | null>();

/** A replacement worker has no metrics yet and is not waited for. */
const telling = new WeakSet<Worker>();

/** Runs in a worker. */
export function tellFigures(): void {
  process.on('message', (message: Message) => {
    if (message.zonewright === 'all') questionsToParent.answer(message.id, message.metrics);
    if (message.zonewright === 'wants-own') void tellOwn(message.id);
  });
  tellParent({ zonewright: 'tells' } satisfies Message);
}

async function tellOwn(id: number): Promise<void> {
  tellParent({ zonewright: 'own', id, metrics: await metricsOfProcess() } satisfies Message);
}

/** Runs in a worker. Throws if a worker does not answer in time. */
async function figuresOfSiblings(): Promise<readonly Metric[][]> {
  const metrics = await questionsToParent.ask((id) => tellParent({ zonewright: 'wants-all', id } satisfies Message));
  if (metrics === null) throw new Error('a process did not send its metrics in time');
  return metrics;
}

/** Runs in the parent. */
export function countEndedWorker(by: 'signal' | 'exit'): void {
  ENDINGS.of(by).add();
}

/** Runs in the parent. */
export function passFigures(): void {
  // Start at 0, so that the first ended worker is an increase.
  for (const by of ['signal', 'exit']) ENDINGS.of(by);
  cluster.on('message', (worker, message: Message) => {
    if (message.zonewright === 'tells') telling.add(worker);
    if (message.zonewright === 'own') questionsToWorkers.answer(message.id, message.metrics);
    if (message.zonewright === 'wants-all') void tellAll(worker, message.id);
  });
}

async function tellAll(worker: Worker, id: number): Promise<void> {
  const metrics = await figuresOfWorkers().catch(() => null);
  if (worker.isConnected()) worker.send({ zonewright: 'all', id, metrics } satisfies Message);
}

/** Runs in the parent. The metrics of an ended worker are lost, like a counter reset. */
async function figuresOfWorkers(): Promise<Metric[][]> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const metrics = await Promise.all(
    workers.filter((worker) => worker.isConnected() && telling.has(worker)).map(askWorker),
  );
  const own = currentMetrics().filter(({ name }) => name === ENDED.name);
  return [own, ...metrics.filter((ofWorker) => ofWorker !== null).map((ofWorker) => [...ofWorker])];
}

async function askWorker(worker: Worker): Promise<readonly Metric[] | null> {
  let hasEnded: () => void = () => undefined;
  try {
    return await questionsToWorkers.ask((id) => {
      hasEnded = () => questionsToWorkers.answer(id, null);
      worker.once('exit', hasEnded);
      worker.send({ zonewright: 'wants-own', id } satisfies Message);
    });
  } finally {
    worker.off('exit', hasEnded);
  }
}

/** Sums all processes that share the port. Throws if a process does not answer in time. */
export async function metricsText(): Promise<string> {
  return exposition(cluster.isWorker ? [...(await figuresOfSiblings())] : [await metricsOfProcess()]);
}

/** Runs in the parent. */
export async function metricsTextOfWorkers(): Promise<string> {
  return exposition(await figuresOfWorkers());
}
