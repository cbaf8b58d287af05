import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { Logger, type NestApplicationOptions } from '@nestjs/common';
import type { Application } from './application.js';
import type { Config } from '../config/config.js';
import type { Composition } from './composition.js';
import { HistoryRetentionService } from '../zones/history-retention.service.js';
import { ZoneRegenerationService } from '../zones/zone-regeneration.service.js';
import { openToOthers } from '../database/private-files.js';
import { firstTokenPath, makeFirstToken } from './first-token.js';

/** How often connections that fell idle are closed while stopping, in milliseconds. */
const IDLE_SWEEP = 100;

/** A service that listens. */
export interface RunningService {
  /** `http://127.0.0.1:9001`, with the port that was really taken. */
  readonly url: string;
  /** The first admin token, when this start made it. */
  readonly firstToken: string | null;
  readonly firstTokenPath: string;
  readonly application: Application;
  /** Answers what is in flight, for as long as the configured grace, and closes the database. May be called twice. */
  stop(): Promise<void>;
}

/**
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
  const server: Server = app.getHttpServer();
  const closeConnections = closeWhenAnswered(server);
  const path = firstTokenPath(database.directory);
  const finish = async (): Promise<void> => {
    closeConnections();
    const grace = setTimeout(() => server.closeAllConnections(), config.api.shutdownGrace * 1000);
    await app.close();
    clearTimeout(grace);
    await database.close();
  };
  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => (stopping ??= finish());
  try {
    await app.get(ZoneRegenerationService, { strict: false }).run();
    const firstToken = await makeFirstToken(app, config, path);
    await warnOfFilesOpenToOthers([dirname(path), ...database.files, path]);
    await listen(server, config.api.listen);
    app.get(HistoryRetentionService, { strict: false }).start();
    const scheme = options.httpsOptions === undefined ? 'http' : 'https';
    const url = urlOf(server.address() as AddressInfo, scheme);
    return { url, firstToken, firstTokenPath: path, application, stop };
  } catch (error) {
    await stop();
    throw readableListenError(error, config);
  }
}

/** They stay as they are: their owner may have a reason. */
async function warnOfFilesOpenToOthers(paths: readonly string[]): Promise<void> {
  for (const { path, mode, privateMode } of await openToOthers(paths))
    new Logger('Database').warn(`others than its owner may use ${path} (mode ${mode}): chmod ${privateMode} ${path}`);
}

/** Not by Nest's own `listen`, which logs what goes wrong in its own words as well. */
async function listen(server: Server, address: Config['api']['listen']): Promise<void> {
  server.listen(address);
  await once(server, 'listening');
}

/** Returns what begins the end: from then on a connection is closed as soon as its request is answered. */
function closeWhenAnswered(server: Server): () => void {
  let isClosing = false;
  server.prependListener('request', (_, response) => {
    if (isClosing) response.setHeader('Connection', 'close');
  });
  return () => {
    isClosing = true;
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP).unref();
    server.once('close', () => clearInterval(sweep));
  };
}

export function urlOf({ address, port }: Pick<AddressInfo, 'address' | 'port'>, scheme = 'http'): string {
  return `${scheme}://${hostAndPort(address, port)}`;
}

function hostAndPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** An address that is not there: without the right to it, on another machine, or a name that nobody knows. */
const NO_ADDRESS = ['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

function readableListenError(error: unknown, { api: { listen } }: Config): unknown {
  const { code } = error as { readonly code?: unknown };
  const where = hostAndPort(listen.host, listen.port);
  if (code === 'EADDRINUSE')
    return new Error(`${where} is taken by another program: stop it or set [service:api] listen to another address`);
  if (typeof code === 'string' && NO_ADDRESS.includes(code))
    return new Error(`cannot listen on ${where} (${code}): set [service:api] listen to another address`);
  return error;
}
