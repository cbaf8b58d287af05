import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Request } from 'express';
import { type ApiRequest, traceIdOf } from '../request.js';
import { Logger } from '@nestjs/common';
import { Histogram, type HistogramValues, type Count, Counter } from '../../observability/metrics.js';

export interface DoneRequest {
  readonly method: string;
  /** Route pattern such as `/v1/domains/:domain_id`: contains no text of the client. */
  readonly route: string;
  /** As text, or `aborted` if the client left before the answer began. */
  readonly status: string;
  readonly milliseconds: number;
  readonly request: ApiRequest;
}

const NO_ROUTE = 'none';
/** Turns, limits, signals and the pipeline of a long answer each wait for its end. Node.js warns above 10. */
const MOST_LISTENERS = 20;

export function watchRequests(server: Server, tell: (done: DoneRequest) => void): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const begun = performance.now();
    response.setMaxListeners(MOST_LISTENERS);
    response.once('close', () => {
      const milliseconds = performance.now() - begun;
      const status = response.headersSent ? String(response.statusCode) : 'aborted';
      const done = request as ApiRequest;
      tell({ method: request.method ?? '', route: routeOf(done), status, milliseconds, request: done });
    });
  });
}

/** Express types the route as `any`. A route with several paths has the name of the first. */
function routeOf(request: Request): string {
  const { path } = (request.route ?? { path: NO_ROUTE }) as { readonly path: string | readonly string[] };
  return typeof path === 'string' ? path : (path[0] ?? NO_ROUTE);
}

const logger = new Logger('Request');

/** Logs route and trace id, but no path, query, header or body, which may contain secrets. */
export function logRequest({ method, route, status, milliseconds, request }: DoneRequest): void {
  const { caller, requestId } = request;
  const trace = traceIdOf(request.headers);
  logger.log({
    method,
    route,
    status: status === 'aborted' ? status : Number(status),
    ms: Math.round(milliseconds * 100) / 100,
    tenant: caller?.tenantId ?? null,
    request_id: requestId,
    ...(trace === null ? {} : { trace_id: trace }),
    msg: 'request',
  });
}

const REQUESTS = new Counter({
  name: 'zonewright_http_requests_total',
  help: 'Requests by method, route and status; status "aborted" where the client left before the answer.',
  labels: ['method', 'route', 'status'],
});
const DURATIONS = new Histogram({
  name: 'zonewright_http_request_duration_seconds',
  help: 'From the head of a request to the end of its answer, waiting for its turn included.',
  labels: ['method', 'route'],
});

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

interface Series {
  readonly count: Count;
  readonly durations: HistogramValues;
}

const known = new Map<string, Series>();

export function measureRequest({ method, route, status, milliseconds }: DoneRequest): void {
  const key = `${method} ${route} ${status}`;
  let series = known.get(key);
  if (series === undefined) {
    series = seriesOf(METHODS.has(method) ? method : 'other', route, status);
    // Ignores other methods: clients could invent a million.
    if (METHODS.has(method)) known.set(key, series);
  }
  series.count.add();
  series.durations.observe(milliseconds / 1000);
}

function seriesOf(method: string, route: string, status: string): Series {
  return { count: REQUESTS.of(method, route, status), durations: DURATIONS.of(method, route) };
}
