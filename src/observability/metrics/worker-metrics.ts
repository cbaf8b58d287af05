import cluster, { type Worker } from 'node:cluster';
import { tellParent } from '../../common/tell-parent.js';
import { currentMetrics, type Metric } from '../metric.js';
import { Counter } from '../counter.js';
import { metricsOfProcess } from './exposition.js';

/** How long the figures of others are waited for, in milliseconds: a process that is busy answers late. */
const TIME_LIMIT = 5000;

const ENDED = {
  name: 'zonewright_workers_ended_total',
  help: 'Workers that have ended although the service goes on, by what ended them.',
  labels: ['by'],
};
const ENDINGS = new Counter(ENDED);

/** What processes say to each other. */
type Message =
  /** A worker to its parent: from now on I tell my figures. */
  | { readonly zonewright: 'tells' }
  /** A worker to its parent: the figures of all, please; and the answer. */
  | { readonly zonewright: 'wants-all'; readonly id: number }
  | { readonly zonewright: 'all'; readonly id: number; readonly metrics: readonly Metric[][] | null }
  /** The parent to a worker: yours, please; and the answer. */
  | { readonly zonewright: 'wants-own'; readonly id: number }
  | { readonly zonewright: 'own'; readonly id: number; readonly metrics: readonly Metric[] };

/** Questions to other processes that have no answer yet. */
class Questions<Answer> {
  private readonly open = new Map<number, (answer: Answer) => void>();
  private count = 0;

  /** @throws Error when the answer does not come in time */
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
/** `null` from one that has ended meanwhile. */
const questionsToWorkers = new Questions<readonly Metric[] | null>();

/** Those that are loaded so far that they answer: one that takes the place of another has no figures yet, and keeps nobody waiting. */
const telling = new WeakSet<Worker>();

/** In a worker: tells its parent the figures of this process whenever it asks. */
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

/**
 * In a worker: the figures of each process that shares the port with it.
 * @throws Error when one of them does not answer in time
 */
export async function figuresOfSiblings(): Promise<readonly Metric[][]> {
  const metrics = await questionsToParent.ask((id) => tellParent({ zonewright: 'wants-all', id } satisfies Message));
  if (metrics === null) throw new Error('a process did not send its metrics in time');
  return metrics;
}

/** In their parent: a worker has ended by itself, or somebody has ended it. */
export function countEndedWorker(by: 'signal' | 'exit'): void {
  ENDINGS.of(by).add();
}

/** In their parent: hands on what workers ask for. */
export function passFigures(): void {
  // From 0 on, so that the first one is a rise.
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

/**
 * In their parent: the figures of each worker, and how many have ended. The figures of one that has ended are gone with it, as
 * if it had begun anew.
 * @throws Error when one of them does not answer in time
 */
export async function figuresOfWorkers(): Promise<Metric[][]> {
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
