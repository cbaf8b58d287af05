import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { isInstalled } from '../support/run-program.js';
import { REPLICATED_POSTGRES, ReplicatedPostgres } from './replicated-postgres.js';

/** A primary and a standby for the tests of one file, with their processes. */
export interface OwnCluster {
  readonly postgres: ReplicatedPostgres;
  /** Where services of the tests run. */
  readonly directory: string;
  /** The URL of the database on the servers at these ports. */
  urlOf(...ports: readonly number[]): string;
  /** Starts a service, or another program, which is ended after the test. */
  start(environment: Record<string, string>, program?: [string, ...string[]]): Promise<ServiceProcess>;
  /** Cleanup steps, run in reverse order. */
  undo(step: () => unknown): void;
}

/** @param database the name of the database that it has */
export function ownCluster(database: string): OwnCluster {
  let directory: string;
  let postgres: ReplicatedPostgres;
  const steps: (() => unknown)[] = [];
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), `zonewright-${database}-`));
    if (!isInstalled(REPLICATED_POSTGRES)) return;
    postgres = await ReplicatedPostgres.start();
    await postgres.createDatabase(database);
  });
  afterEach(async () => {
    for (const step of steps.splice(0).reverse()) await step();
  });
  afterAll(async () => {
    if (isInstalled(REPLICATED_POSTGRES)) await postgres.remove();
    await rm(directory, { recursive: true });
  });
  return {
    get postgres() {
      return postgres;
    },
    get directory() {
      return directory;
    },
    urlOf: (...ports) => postgres.urlOf(ports, database),
    start: async (environment, program) => {
      const one = await startServiceProcess(directory, environment, program);
      steps.push(async () => {
        killAll(one);
        await one.ended;
      });
      return one;
    },
    undo: (step) => void steps.push(step),
  };
}
