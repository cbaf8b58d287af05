import type { AddressInfo } from 'node:net';
import cluster from 'node:cluster';
import type { Config } from '../config/config.js';
import { metricsText, metricsTextOfWorkers, passFigures, tellFigures } from '../monitoring/worker-metrics.js';
import type { Services } from '../plugins/command.js';
import { BackgroundWork } from './background-work.js';

/** No permission, an address of another machine, or an unknown name. */
const NO_ADDRESS = ['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

function hostAndPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export function urlOf({ address, port }: Pick<AddressInfo, 'address' | 'port'>, scheme = 'http'): string {
  return `${scheme}://${hostAndPort(address, port)}`;
}

/** Returns other errors unchanged. @param section of the configuration with this `listen` */
export function readableListenError(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
  section: string,
): unknown {
  const { code } = error as { readonly code?: unknown };
  const where = hostAndPort(host, port);
  if (code === 'EADDRINUSE')
    return new Error(`${where} is taken by another program: stop it or set [${section}] listen to another address`);
  if (typeof code === 'string' && NO_ADDRESS.includes(code))
    return new Error(`cannot listen on ${where} (${code}): set [${section}] listen to another address`);
  return error;
}

export interface RunningMetrics {
  /** `http://127.0.0.1:9101/metrics`, with the actual port. */
  readonly url: string;
  stop(): void;
}

/** A worker passes its metrics to its parent. @throws Error with one line for the operator */
export async function startMetrics(config: Config): Promise<RunningMetrics | null> {
  if (!cluster.isWorker) return listen(config, metricsText);
  tellFigures();
  return null;
}

/** In the parent process. */
export async function startMetricsOfWorkers(config: Config): Promise<RunningMetrics | null> {
  passFigures();
  return listen(config, metricsTextOfWorkers);
}

async function listen({ metrics }: Config, text: () => Promise<string>): Promise<RunningMetrics | null> {
  if (metrics.listen === null) return null;
  const { startMetricsServer } = await import('../monitoring/metrics-server.js');
  try {
    const server = await startMetricsServer(metrics.listen, text);
    return { url: `${urlOf(server.address)}/metrics`, stop: () => server.stop() };
  } catch (error) {
    throw readableListenError(error, metrics.listen, 'metrics');
  }
}

export interface RunningNameServer {
  /** `dns://127.0.0.1:5354` (RFC 4501), with the actual port. */
  readonly url: string;
  /** Answers pending requests within the configured grace. */
  stop(): Promise<void>;
}

/** Read-only: fetches no secondary zones, and does not record the state of name servers. */
export async function startNameServerOnStandby(services: Services, { mdns, api }: Config): Promise<RunningNameServer> {
  const { NameServer } = await import('../publishing/name-server/name-server.js');
  const server = services.get(NameServer);
  try {
    const address = await server.start();
    services.get(BackgroundWork).startListening('standby-name-server');
    return { url: urlOf(address, 'dns'), stop: () => server.stop(api.shutdownGrace) };
  } catch (error) {
    throw readableListenError(error, mdns.listen, 'service:mdns');
  }
}

/** @throws Error with one line for the operator */
export async function startNameServer(services: Services, { mdns, api }: Config): Promise<RunningNameServer> {
  // Most programs have no name server.
  const { NameServer } = await import('../publishing/name-server/name-server.js');
  const server = services.get(NameServer);
  try {
    const address = await server.start();
    // A name server that gets a NOTIFY requests the zone immediately.
    services.get(BackgroundWork).startListening('name-server');
    return { url: urlOf(address, 'dns'), stop: () => server.stop(api.shutdownGrace) };
  } catch (error) {
    throw readableListenError(error, mdns.listen, 'service:mdns');
  }
}
