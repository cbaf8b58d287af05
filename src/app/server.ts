import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { dirname } from 'node:path';
import { Logger, type NestApplicationOptions } from '@nestjs/common';
import type { Application } from './application.js';
import type { Config } from '../config/config.js';
import type { Services } from '../plugins/command.js';
import type { Composition } from './composition/composition.js';
import { BackgroundWork } from './background-work.js';
import { Scheduler } from '../background/scheduler.js';
import { EncryptedKeys } from '../dnssec/keys/encrypted-keys.js';
import { ChangeDispatcher } from '../feed/listeners/change-dispatcher.js';
import { API_SERVICES, Heartbeat, NAME_SERVER_SERVICES } from '../openstack/service-statuses/heartbeat.js';
import { ZoneRegenerationService } from '../zones/zone-regeneration.service.js';
import { openToOthers } from '../database/private-files.js';
import { firstTokenPath, makeFirstToken } from './first-token.js';
import { takeConnections } from './workers/handed-connections.js';
import {
  readableListenError,
  urlOf,
  type RunningMetrics,
  startMetrics,
  type RunningNameServer,
  startNameServer,
} from './listening.js';
import { answerParent } from './workers/worker-watch.js';

/** In milliseconds, while stopping. */
const IDLE_SWEEP = 100;

/** In milliseconds, while stopping: a connection without a request by then is closed. */
const LATEST_REQUEST = 1000;

/** A running service. `get` finds its services by their classes. */
export interface RunningService extends Services {
  /** `http://127.0.0.1:9001`, with the actual port. */
  readonly url: string;
  /** Address for name servers, `dns://127.0.0.1:5354`; `null` if not enabled. */
  readonly dnsUrl: string | null;
  /** Address of metrics without credentials; `null` if the API shows them to admins. */
  readonly metricsUrl: string | null;
  /** The first admin token, if this start created it. */
  readonly firstToken: string | null;
  readonly firstTokenPath: string;
  /** @internal */
  readonly application: Application;
  /** Answers pending requests within the configured grace, and closes the database. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts the service in this process, and returns when it listens.
 * @param options Nest's own, such as `httpsOptions`
 * @throws Error with one line for the operator: a port in use, an unusable database, an invalid option
 */
export async function startService(
  composition: Composition,
  options: NestApplicationOptions = {},
): Promise<RunningService> {
  const { config } = composition;
  // Most commands of plugin programs never listen.
  const { createApplication } = await import('./application.js');
  const application = await createApplication(composition, options);
  const { app, database } = application;
  const services: Services = { get: (type) => app.get(type, { strict: false }) };
  const server: Server = app.getHttpServer();
  const closeConnections = closeWhenAnswered(server);
  const path = firstTokenPath(database.directory, composition.cwd);
  let nameServer: RunningNameServer | null = null;
  let metrics: RunningMetrics | null = null;
  let leave = (): void => undefined;
  const finish = async (): Promise<void> => {
    leave();
    closeConnections();
    const grace = setTimeout(() => server.closeAllConnections(), config.api.shutdownGrace * 1000);
    // Nest would close it only after the services, for which name servers may wait.
    server.close();
    await services.get(Scheduler).stop(config.api.shutdownGrace * 1000);
    await nameServer?.stop();
    await app.close();
    metrics?.stop();
    clearTimeout(grace);
    await database.close();
  };
  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => (stopping ??= finish());
  try {
    await services.get(EncryptedKeys).assertDecryptable();
    await services.get(ChangeDispatcher).introduce();
    await services.get(ZoneRegenerationService).run();
    const firstToken = await makeFirstToken(app, config, path);
    await warnOfFilesOpenToOthers([dirname(path), ...database.files, path]);
    metrics = await startMetrics(config);
    if (cluster.isWorker) leave = takeConnections(server);
    else await listen(server, config.api.listen);
    if (config.mdns.enabled) nameServer = await startNameServer(services, config);
    if (config.api.enableV2) services.get(Heartbeat).startFor(servicesOf(config));
    services.get(BackgroundWork).startListening('api');
    const scheme = options.httpsOptions === undefined ? 'http' : 'https';
    const { host, port } = config.api.listen;
    // A worker does not listen itself.
    const url = urlOf((server.address() as AddressInfo | null) ?? { address: host, port }, scheme);
    if (cluster.isWorker) answerParent();
    const urls = { url, dnsUrl: nameServer?.url ?? null, metricsUrl: metrics?.url ?? null };
    return { ...services, ...urls, firstToken, firstTokenPath: path, application, stop };
  } catch (error) {
    await stop();
    throw readableListenError(error, config.api.listen, 'service:api');
  }
}

function servicesOf({ mdns }: Config): readonly string[] {
  return mdns.enabled ? [...API_SERVICES, ...NAME_SERVER_SERVICES].sort() : API_SERVICES;
}

/** The modes may be intended. */
async function warnOfFilesOpenToOthers(paths: readonly string[]): Promise<void> {
  for (const { path, mode, privateMode } of await openToOthers(paths))
    new Logger('Database').warn(
      `users other than its owner may use ${path} (mode ${mode}): chmod ${privateMode} ${path}`,
    );
}

/** Nest's `listen` also logs errors in its own words. */
async function listen(server: Server, address: Config['api']['listen']): Promise<void> {
  server.listen(address);
  await once(server, 'listening');
}

/** Returns a function after which each connection closes with its current answer. */
function closeWhenAnswered(server: Server): () => void {
  let isClosing = false;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.prependListener('request', (_, response) => {
    if (isClosing) response.setHeader('Connection', 'close');
  });
  return () => {
    isClosing = true;
    const since = performance.now();
    const sweep = setInterval(() => {
      if (!server.listening && sockets.size === 0) clearInterval(sweep);
      server.closeIdleConnections();
      if (performance.now() - since < LATEST_REQUEST) return;
      // Node does not count a connection before its first request as idle.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, IDLE_SWEEP).unref();
  };
}
