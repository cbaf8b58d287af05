import cluster, { type Address as ListeningAddress, type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type NestApplicationOptions } from '@nestjs/common';
import { countEndedWorker } from '../../observability/metrics/worker-metrics.js';
import { createApplication } from '../application.js';
import type { Composition } from '../composition/composition.js';
import { firstTokenPath, makeFirstToken } from '../first-token.js';
import { HandedConnections } from './handed-connections.js';
import { readableListenError, urlOf } from '../listening.js';
import { type RunningMetrics, startMetricsOfWorkers } from '../metrics.js';
import { WorkerWatch } from './worker-watch.js';

/** How long a worker that died is missed before another takes its place, in milliseconds: no storm of restarts. */
const RESTART_DELAY = 1000;

/** How long a worker may take to end beyond the grace before it is killed, in milliseconds: it ends itself before that. */
const LAST_WRITES = 7000;

/** Several processes that share a port. */
export interface RunningWorkers {
  readonly url: string;
  readonly dnsUrl: string | null;
  readonly metricsUrl: string | null;
  readonly firstToken: string | null;
  readonly firstTokenPath: string;
  /** Lets every worker answer what it has in flight, and resolves when all have ended. */
  stop(): Promise<void>;
}

/** Whether this process is one of those that `startWorkers` has started. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/**
 * In a worker: has it end without a stack where its parent dies. What Node itself tells a parent that has just died, such as which
 * socket is wanted, fails as an error of the worker; the end of the channel, which comes next, ends the worker.
 */
export function endQuietlyWithParent(): void {
  cluster.worker?.on('error', () => undefined);
}

/**
 * Brings the database up to date and makes the first token, once for all, then starts the workers and replaces each
 * that dies. They run the same program with the same arguments.
 * @throws Error when the database cannot be opened, or when a worker ends before all of them listen
 */
export async function startWorkers(
  composition: Composition,
  options: NestApplicationOptions = {},
): Promise<RunningWorkers> {
  const { api, mdns } = composition.config;
  // Name servers connect to whichever worker is free; connections to the API are handed out, one after the other.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const prepared = await prepare(composition, options);
  const connections = new HandedConnections();
  const workers = new Map<Worker, WorkerWatch>();
  let isStopping = false;
  let metrics: RunningMetrics | null = null;
  const start = (): Worker => {
    const worker = cluster.fork();
    // What is sent to one that is just dying fails; that it has ended is told by its exit.
    worker.on('error', () => undefined);
    connections.share(worker);
    workers.set(worker, new WorkerWatch(worker, (seconds) => tellOfSilence(worker, seconds)));
    return worker;
  };
  const replace = async (): Promise<void> => {
    await delay(RESTART_DELAY);
    if (!isStopping) start();
  };
  const stop = async (): Promise<void> => {
    isStopping = true;
    connections.close();
    const timeLimit = api.shutdownGrace * 1000 + LAST_WRITES;
    await Promise.all([...workers.values()].map((watch) => watch.end(timeLimit)));
    metrics?.stop();
  };
  cluster.on('exit', (worker) => workers.delete(worker));
  try {
    metrics = await startMetricsOfWorkers(composition.config);
    const sockets = mdns.enabled ? 2 : 0;
    const [first] = await Promise.all(Array.from({ length: api.workers }, () => ready(start(), sockets)));
    cluster.on('exit', (worker, code, signal) => {
      if (isStopping) return;
      tellOfEnd(worker, code, signal);
      void replace();
    });
    const http = await connections.listen(api.listen);
    // There is at least one worker, and it has told of its sockets.
    const [dns] = first as ListeningAddress[];
    const urls = { dnsUrl: dns === undefined ? null : urlOf(dns, 'dns'), metricsUrl: metrics?.url ?? null };
    return { ...prepared, ...urls, url: urlOf(http), stop };
  } catch (error) {
    await stop();
    throw readableListenError(error, api.listen, 'service:api');
  }
}

function tellOfSilence({ process: { pid } }: Worker, seconds: number): void {
  new Logger('Zonewright').error(`worker ${pid} has not answered for ${seconds} s and is ended`);
}

/** @param signal `null` where it has ended by itself; Node's types do not say so */
function tellOfEnd({ process: { pid } }: Worker, code: number, signal: string | null): void {
  countEndedWorker(signal === null ? 'exit' : 'signal');
  const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
  new Logger('Zonewright').error(
    `worker ${pid} ${how} and is replaced in ${RESTART_DELAY / 1000} s; clients have to repeat requests that it had not answered`,
  );
}

async function prepare(
  composition: Composition,
  options: NestApplicationOptions,
): Promise<Pick<RunningWorkers, 'firstToken' | 'firstTokenPath'>> {
  const { app, database } = await createApplication(composition, options);
  try {
    const path = firstTokenPath(database.directory, composition.cwd);
    return { firstToken: await makeFirstToken(app, composition.config, path), firstTokenPath: path };
  } finally {
    await app.close();
    await database.close();
  }
}

/**
 * Resolves when a worker takes connections, and listens for name servers on as many sockets.
 * @returns where it does: TCP, then UDP
 */
function ready(worker: Worker, sockets: number): Promise<ListeningAddress[]> {
  const addresses: ListeningAddress[] = [];
  let isTaking = false;
  return new Promise((resolve, reject) => {
    const check = (): void => {
      if (isTaking && addresses.length === sockets) resolve(addresses);
    };
    worker.on('listening', (address) => {
      addresses.push(address);
      check();
    });
    worker.on('message', ({ zonewright }: { readonly zonewright?: unknown }) => {
      isTaking ||= zonewright === 'takes';
      check();
    });
    worker.once('exit', () => reject(new Error('a worker ended before it listened; its own log line says why')));
  });
}
