import cluster, { type Address as ListeningAddress, type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type NestApplicationOptions } from '@nestjs/common';
import { countEndedWorker } from '../../monitoring/worker-metrics.js';
import { createApplication } from '../application.js';
import type { Composition } from '../composition/composition.js';
import { firstTokenPath, makeFirstToken } from '../first-token.js';
import { HandedConnections } from './handed-connections.js';
import { readableListenError, urlOf, type RunningMetrics, startMetricsOfWorkers } from '../listening.js';
import { WorkerWatch } from './worker-watch.js';

/** In milliseconds. Avoids a storm of restarts. */
const RESTART_DELAY = 1000;

/** In milliseconds beyond the grace; a worker ends itself before that. */
const LAST_WRITES = 7000;

export interface RunningWorkers {
  readonly url: string;
  readonly dnsUrl: string | null;
  readonly metricsUrl: string | null;
  readonly firstToken: string | null;
  readonly firstTokenPath: string;
  /** Resolves when all workers have answered pending requests and ended. */
  stop(): Promise<void>;
}

export function isWorker(): boolean {
  return cluster.isWorker;
}

/** Without a stack trace: Node's messages to a dead parent fail, then the end of the channel ends the worker. */
export function endQuietlyWithParent(): void {
  cluster.worker?.on('error', () => undefined);
}

/**
 * Migrates and creates the first token, then starts workers with the same arguments, and replaces dead ones.
 * @throws Error if the database cannot be opened, or if a worker ends before all listen
 */
export async function startWorkers(
  composition: Composition,
  options: NestApplicationOptions = {},
): Promise<RunningWorkers> {
  const { api, mdns } = composition.config;
  // Name servers connect to any free worker; API connections rotate.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const prepared = await prepare(composition, options);
  const connections = new HandedConnections();
  const workers = new Map<Worker, WorkerWatch>();
  let isStopping = false;
  let metrics: RunningMetrics | null = null;
  const start = (): Worker => {
    const worker = cluster.fork();
    // The exit event reports the end of a dying worker.
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
    // The first worker has reported its sockets.
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

/** Node's types lack `null`, for a worker that ended by itself. */
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

/** Resolves when a worker accepts connections on all sockets. Returns the addresses: TCP, then UDP. */
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
