import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { dataSourceOptions } from '../../ormconfig.js';
import { AppModule } from '../../src/app/app.module.js';
import { compose } from '../../src/app/composition/compose.js';
import { Clock, type Instant } from '../../src/common/clock.js';
import { DatabaseClock } from '../../src/database/database-clock.js';
import type { ZonewrightPlugin } from '../../src/plugins/plugin.js';
import { HttpAdapter } from '../../src/http/server/http-adapter.js';
import { requestHeaders } from '../../src/http/request.js';
import { type OpenDatabase, openDatabase } from '../../src/database/open-database.js';
import { provideSchema } from './postgres/databases.js';
import { type Clients, clientsOf, databaseFileIn, environmentOf, removeTestData, type Settings } from './service.js';

/** Parts that a test may pause or shorten. */
export interface Parts {
  readonly clock?: Clock;
  readonly settings?: Settings;
  readonly plugins?: readonly ZonewrightPlugin[];
  /** In milliseconds. */
  readonly lockTimeoutMs?: number;
}

export interface AssembledService extends Clients {
  readonly databaseClock: LaggingClock;
  readonly directory: string;
  readonly databaseFile: string;
  readonly database: OpenDatabase;
  /** One of the application's own services. */
  get<T>(service: Type<T>): T;
  stop(): Promise<void>;
}

/** The clock of a database that goes by the one of the test. */
class LaggingClock {
  /** How far the clock lags. */
  lag: Instant = 0;

  constructor(private readonly clock: Clock | null) {}

  now(): Promise<Instant | null> {
    return Promise.resolve(this.clock === null ? null : this.clock.now() - this.lag);
  }
}

/** The application's own graph on a database file, with a port filled differently or a patience of another length. */
export async function assembleTestService({
  clock,
  settings,
  plugins = [],
  ...database
}: Parts): Promise<AssembledService> {
  const directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  provideSchema(directory);
  const composition = compose(plugins, { env: environmentOf(directory, settings), cwd: directory });
  const { config } = composition;
  const options = await dataSourceOptions(config.database.url, await composition.schema());
  const open = await openDatabase({ ...options, migrate: 'needed', ...database });
  const module = AppModule.register(config, open, await composition.application());
  const graph = Test.createTestingModule({ imports: [module] });
  const databaseClock = new LaggingClock(clock ?? null);
  graph.overrideProvider(DatabaseClock).useValue(databaseClock);
  if (clock !== undefined) graph.overrideProvider(Clock).useValue(clock);
  const app = (await graph.compile()).createNestApplication<NestExpressApplication>(
    new HttpAdapter(config.api.bounds, false),
    {
      bodyParser: false,
    },
  );
  app.use(requestHeaders);
  await app.listen(0, '127.0.0.1');
  return {
    ...clientsOf(await app.getUrl()),
    directory,
    databaseFile: databaseFileIn(directory),
    databaseClock,
    database: open,
    get: (type) => app.get(type, { strict: false }),
    stop: async () => {
      await app.close();
      await open.close();
      await removeTestData(directory);
    },
  };
}
