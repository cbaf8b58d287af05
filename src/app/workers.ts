import cluster, { type Address as ListeningAddress, type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import type { NestApplicationOptions } from '@nestjs/common';
import { createApplication } from './application.js';
import type { Composition } from './composition.js';
import { firstTokenPath, makeFirstToken } from './first-token.js';
import { urlOf } from './listening.js';
import { type RunningMetrics, startMetricsOfWorkers } from './metrics.js';

/** How long a worker that died is missed before another takes its place, in milliseconds: no storm of restarts. */
const RESTART_DELAY = 1000;

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
 * Brings the database up to date and makes the first token, once for all, then starts the workers and replaces each
 * that dies. They run the same program with the same arguments.
 * @throws Error when the database cannot be opened, or when a worker ends before all of them listen
 */
export async function startWorkers(
  composition: Composition,
  options: NestApplicationOptions = {},
): Promise<RunningWorkers> {
  const prepared = await prepare(composition, options);
  const workers = new Set<Worker>();
  let isStopping = false;
  let metrics: RunningMetrics | null = null;
  const start = (): Worker => {
    const worker = cluster.fork();
    workers.add(worker);
    return worker;
  };
  const replace = async (): Promise<void> => {
    await delay(RESTART_DELAY);
    if (!isStopping) start();
  };
  const stop = async (): Promise<void> => {
    isStopping = true;
    await Promise.all([...workers].map((worker) => ended(worker)));
    metrics?.stop();
  };
  cluster.on('exit', (worker) => workers.delete(worker));
  try {
    metrics = await startMetricsOfWorkers(composition.config);
    const { api, mdns } = composition.config;
    const sockets = mdns.enabled ? 3 : 1;
    const [first] = await Promise.all(Array.from({ length: api.workers }, () => listening(start(), sockets)));
    cluster.on('exit', () => void replace());
    // There is at least one worker, and it has told of its sockets.
    const [http, dns] = first as [ListeningAddress, ...ListeningAddress[]];
    const urls = { dnsUrl: dns === undefined ? null : urlOf(dns, 'dns'), metricsUrl: metrics?.url ?? null };
    return { ...prepared, ...urls, url: urlOf(http), stop };
  } catch (error) {
    await stop();
    throw error;
  }
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

/** Where a worker listens, once it does so on as many sockets: that of the API first, then TCP and UDP for name servers. */
function listening(worker: Worker, sockets: number): Promise<ListeningAddress[]> {
  const addresses: ListeningAddress[] = [];
  return new Promise((resolve, reject) => {
    worker.on('listening', (address) => {
      if (addresses.push(address) === sockets) resolve(addresses);
    });
    worker.once('exit', () => reject(new Error('a worker ended before it listened; its own line says why')));
  });
}

/** Asks a worker to stop and waits until it has. */
function ended(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    if (worker.isDead()) {
      resolve();
      return;
    }
    worker.once('exit', () => resolve());
    worker.process.kill('SIGTERM');
  });
}
