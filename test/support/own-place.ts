import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import { audit } from './audit.js';
import { provideSchema } from './postgres/databases.js';
import { killAll, type ServiceProcess, startServiceProcess } from './process.js';
import { databaseFileIn, environmentOf, removeTestData, type Settings } from './service.js';

/** Where services of one test run in processes of their own, with one database. */
export interface OwnPlace {
  readonly directory: string;
  /** The file that their data is in, or the URL of their PostgreSQL database. */
  readonly database: string;
  /** @param variables of the environment, for others than the service */
  start(settings?: Settings, variables?: Record<string, string>): Promise<ServiceProcess>;
}

/** A new place for each test. After the test its processes end, and the database is audited and deleted. */
export function ownPlaceForEach(name: string): OwnPlace {
  let directory: string;
  let started: ServiceProcess[];
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), `zonewright-${name}-`));
    provideSchema(directory);
    started = [];
  });
  afterEach(async () => {
    for (const service of started) {
      killAll(service);
      await service.ended;
    }
    audit(databaseFileIn(directory));
    await removeTestData(directory);
  });
  return {
    get directory() {
      return directory;
    },
    get database() {
      return databaseFileIn(directory);
    },
    start: async (settings = {}, variables = {}) => {
      const environment = { ...environmentOf(directory, settings), ...variables };
      const service = await startServiceProcess(directory, environment);
      started.push(service);
      return service;
    },
  };
}
