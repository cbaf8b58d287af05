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
import { Scheduler } from '../background/scheduler.js';
import { KeyDecryptionCheck } from '../dnssec/keys/key-decryption-check.js';
import { ChangeDispatcher } from '../feed/listeners/change-dispatcher.js';
import { HistoryRetentionService } from '../zones/journal/history-retention.service.js';
import { API_SERVICES, Heartbeat, NAME_SERVER_SERVICES } from '../openstack/service-statuses/heartbeat.js';
import { ZoneRegenerationService } from '../zones/zone-regeneration.service.js';
import { openToOthers } from '../database/private-files.js';
import { firstTokenPath, makeFirstToken } from './first-token.js';
import { takeConnections } from './workers/handed-connections.js';
import { readableListenError, urlOf } from './listening.js';
import { type RunningMetrics, startMetrics } from './metrics.js';
import { type RunningNameServer, startNameServer } from './name-server.js';
import { answerParent } from './workers/worker-watch.js';

/** How often connections that fell idle are closed while stopping, in milliseconds. */
const IDLE_SWEEP = 100;

/** How long a connection may have been there without a word while stopping, in milliseconds. */
const LATEST_REQUEST = 1000;

/** A service that listens. `get` finds its services by their classes. */
export interface RunningService extends Services {
  /** `http://127.0.0.1:9001`, with the port that was really taken. */
  readonly url: string;
  /** Where name servers are answered: `dns://127.0.0.1:5354`; `null` where they are not. */
  readonly dnsUrl: string | null;
  /** Where figures are shown without a credential; `null` where the API shows them to admins. */
  readonly metricsUrl: string | null;
  /** The first admin token, when this start made it. */
  readonly firstToken: string | null;
  readonly firstTokenPath: string;
  /** @internal */
  readonly application: Application;
  /** Answers what is in flight, for as long as the configured grace, and closes the database. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts the service in this process, and returns when it listens.
 * @param options Nest's own, such as `httpsOptions`
 * @throws Error with one line for the operator: a port that is taken, a database that cannot be opened, a bad option
 */
export async function startService(
  composition: Composition,
  options: NestApplicationOptions = {},
): Promise<RunningService> {
  const { config } = composition;
  // Loaded here because a plugin's program imports this file, and most of its commands never listen.
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
    // Not only by Nest, which closes the services first: name servers may wait for those.
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
    await services.get(KeyDecryptionCheck).assert();
    await services.get(ChangeDispatcher).introduce();
    await services.get(ZoneRegenerationService).run();
    const firstToken = await makeFirstToken(app, config, path);
    await warnOfFilesOpenToOthers([dirname(path), ...database.files, path]);
    metrics = await startMetrics(config);
    if (cluster.isWorker) leave = takeConnections(server);
    else await listen(server, config.api.listen);
    if (config.mdns.enabled) nameServer = await startNameServer(services, config);
    services.get(HistoryRetentionService).start();
    services.get(ChangeDispatcher).start();
    if (config.api.enableV2) services.get(Heartbeat).start(servicesOf(config));
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

/** They stay as they are: their owner may have a reason. */
async function warnOfFilesOpenToOthers(paths: readonly string[]): Promise<void> {
  for (const { path, mode, privateMode } of await openToOthers(paths))
    new Logger('Database').warn(
      `users other than its owner may use ${path} (mode ${mode}): chmod ${privateMode} ${path}`,
    );
}

/** Not by Nest's own `listen`, which logs what goes wrong in its own words as well. */
async function listen(server: Server, address: Config['api']['listen']): Promise<void> {
  server.listen(address);
  await once(server, 'listening');
}

/** Returns what begins the end: from then on a connection is closed as soon as its request is answered. */
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
      // Some clients connect before they have anything to ask, which Node does not take for idle.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, IDLE_SWEEP).unref();
  };
}
