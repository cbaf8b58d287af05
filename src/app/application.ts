import cluster from 'node:cluster';
import { Logger, type LogLevel, type NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { serveApiDocuments } from './api-document/documents-in-memory.js';
import { AppModule } from './app.module.js';
import { HttpAdapter } from '../http/server/http-adapter.js';
import { refuseMalformed } from '../http/server/malformed-requests.js';
import { measureRequest, logRequest, watchRequests } from '../http/server/request-log.js';
import type { RequestTurns } from '../http/server/request-turns.js';
import { RequestLimits } from '../http/request-limits.js';
import { requestHeaders } from '../http/request.js';
import { markDeprecated } from '../http/v1/interface.js';
import { limitHeapGrowth } from '../common/request-memory.js';
import type { Config } from '../config/config.js';
import type { OpenDatabase } from '../database/open-database.js';
import type { PluginTraces } from '../plugins/plugin.repository.js';
import type { Composition } from './composition/composition.js';
import { openConfiguredDatabase } from './open-database.js';
import { namingPlugin } from './composition/plugin-folders.js';

/** For programs without a logger. */
const LOGGED: LogLevel[] = ['error', 'warn'];

export interface Application {
  readonly app: NestExpressApplication;
  readonly database: OpenDatabase;
}

/** Does not listen yet. Closes everything if building fails. */
export async function createApplication(
  composition: Composition,
  options: NestApplicationOptions = {},
): Promise<Application> {
  const { config } = composition;
  limitHeapGrowth('service');
  // Nest would apply it only later.
  Logger.overrideLogger(options.logger ?? LOGGED);
  const parts = await composition.application();
  const log = new Logger('Plugins');
  if (!cluster.isWorker) for (const line of parts.summaries) log.log(line);
  if (!cluster.isWorker) warnOfClosedAdmin(config);
  const database = await openConfiguredDatabase(composition, {
    // For a worker, its parent process has migrated.
    migrate: config.database.migrate && !cluster.isWorker ? 'needed' : null,
    ...(!cluster.isWorker && { log: new Logger('Database') }),
    standbys: cluster.isWorker ? 'as they are' : 'checked',
  });
  if (!cluster.isWorker) for (const plugin of database.absentPlugins) log.warn(describeAbsent(plugin));
  try {
    const module = AppModule.register(config, database, parts);
    const { bounds, trustedProxies } = config.api;
    const adapter = new HttpAdapter(bounds, trustedProxies.length > 0);
    const app = await NestFactory.create<NestExpressApplication>(module, adapter, {
      abortOnError: false,
      bodyParser: false,
      logger: LOGGED,
      ...options,
    });
    configureHttp(app, adapter.turns, config);
    watch(app, config);
    await app.init();
    return { app, database };
  } catch (error) {
    await database.close();
    throw namingPlugin(error);
  }
}

function warnOfClosedAdmin({ api }: Config): void {
  if (api.enableAdmin || api.adminExtensions.length === 0) return;
  const named = `[service:api] enabled_extensions_admin = ${api.adminExtensions.join(', ')}`;
  new Logger('Configuration').warn(
    `${named} has no effect while enable_api_admin = False: set it to True, or take the extensions out`,
  );
}

function describeAbsent({ name, recordTypes, tables }: PluginTraces): string {
  const types = recordTypes.map((type) => type.name).join(', ');
  const records = types === '' ? [] : [`its records of ${types} can be read and deleted`];
  const rows = tables.length === 0 ? [] : [`its tables ${tables.join(', ')} stay`];
  return `the plugin ${name}, which this database was used with, is not installed: ${[...records, ...rows].join('; ')}`;
}

function configureHttp(app: NestExpressApplication, turns: RequestTurns, { api }: Config): void {
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', api.trustedProxies.length > 0 ? [...api.trustedProxies] : false);
  app.use(requestHeaders);
  app.use(turns.refuseTooLate);
  if (api.deprecationHeader) app.use(markDeprecated);
  app.use(refuseMalformed);
  if (api.corsOrigins.length > 0) enableCors(app, api.corsOrigins);
  if (api.docs) serveApiDocuments(app, api.enableV2);
  // After CORS, which a web page needs to read the refusal, and after static documents.
  const limits = app.get(RequestLimits);
  if (!limits.countsRequests) return;
  app.use(limits.countAddress);
  watchRequests(app.getHttpServer(), limits.countAnswer);
}

function watch(app: NestExpressApplication, { log }: Config): void {
  const isLogged = log.level === 'info' || log.level === 'debug';
  const server = app.getHttpServer();
  watchRequests(server, measureRequest);
  if (isLogged) watchRequests(server, logRequest);
}

function enableCors(app: NestExpressApplication, origins: readonly string[]): void {
  app.enableCors({
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [
      'Location',
      'ETag',
      'Idempotent-Replayed',
      'X-OpenStack-Request-ID',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
    ],
  });
}
