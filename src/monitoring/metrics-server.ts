import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EXPOSITION_TYPE } from './exposition.js';
import { Controller, Get } from '@nestjs/common';
import { AdminOnly } from '../auth/access.decorators.js';
import { ServiceError } from '../common/service-error.js';
import { Produces } from '../http/bodies/media-types.js';
import { RawResponse } from '../http/custom-responses.js';
import { metricsText } from './worker-metrics.js';

/** Scrapers need few connections. */
const MOST_CONNECTIONS = 32;
/** In milliseconds. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 10_000, keepAliveTimeout: 65_000 };

export interface MetricsServer {
  readonly address: AddressInfo;
  stop(): void;
}

/** Needs no credential. Throws the Node.js error with its `code`, such as `EADDRINUSE`. */
export async function startMetricsServer(
  listen: { readonly host: string; readonly port: number },
  text: () => Promise<string>,
): Promise<MetricsServer> {
  const server = createServer(TIMEOUTS, (request, response) => void answer(request, response, text));
  server.maxConnections = MOST_CONNECTIONS;
  server.listen(listen);
  await once(server, 'listening');
  // The server listens at an address and port.
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

/** Admins only: tenants must not see metrics of other tenants. */
@AdminOnly()
@Controller('metrics')
export class MetricsController {
  @Get()
  @Produces('text/plain')
  async read(): Promise<RawResponse> {
    try {
      return new RawResponse(200, EXPOSITION_TYPE, await metricsText());
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ServiceError(
        'unavailable',
        `The metrics cannot be collected at the moment: ${reason}; try again later.`,
      );
    }
  }
}
