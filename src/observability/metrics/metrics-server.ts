import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EXPOSITION_TYPE } from './exposition.js';

/** Who asks for figures does so now and then, and one at a time. */
const MOST_CONNECTIONS = 32;
/** In milliseconds. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 10_000, keepAliveTimeout: 65_000 };

/** An address of its own for /metrics. */
export interface MetricsServer {
  readonly address: AddressInfo;
  stop(): void;
}

/**
 * Answers `GET /metrics` to whoever reaches the address, without a credential.
 * @throws Error of Node, with its `code`: an address that is taken, or not there
 */
export async function startMetricsServer(
  listen: { readonly host: string; readonly port: number },
  text: () => Promise<string>,
): Promise<MetricsServer> {
  const server = createServer(TIMEOUTS, (request, response) => void answer(request, response, text));
  server.maxConnections = MOST_CONNECTIONS;
  server.listen(listen);
  await once(server, 'listening');
  // Of a server that listens at an address and port.
  return { address: server.address() as AddressInfo, stop: () => end(server) };
}

async function answer(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  text: () => Promise<string>,
): Promise<void> {
  if (!/^\/metrics\/?(\?|$)/.test(url)) {
    send(response, 404, 'Only /metrics is served here.\n');
  } else if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    send(response, 405, 'Use GET.\n');
  } else {
    await sendMetrics(response, text);
  }
}

async function sendMetrics(response: ServerResponse, text: () => Promise<string>): Promise<void> {
  try {
    send(response, 200, await text(), EXPOSITION_TYPE);
  } catch (error) {
    send(response, 503, `${error instanceof Error ? error.message : String(error)}\n`);
  }
}

function send(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  const octets = Buffer.from(text);
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': octets.length, 'Cache-Control': 'no-store' });
  response.end(octets);
}

function end(server: Server): void {
  server.close();
  server.closeAllConnections();
}
