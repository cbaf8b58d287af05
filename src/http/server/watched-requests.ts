import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { ApiRequest } from '../request.js';

/** A request that is over. */
export interface DoneRequest {
  readonly method: string;
  /** As the router has it, `/v1/domains/:domain_id`: none of what a client has sent. */
  readonly route: string;
  /** As text, or `aborted` where the client left before the answer began. */
  readonly status: string;
  readonly milliseconds: number;
  readonly request: ApiRequest;
}

/** What is said of a request that no route has taken. */
const NO_ROUTE = 'none';
/** Turns, limits, signals and the pipeline of a long answer each wait for its end. Node.js warns of more than 10. */
const MOST_LISTENERS = 20;

/** Has every request told of when it is over, also those that are refused before any route. */
export function watchRequests(server: Server, tell: (done: DoneRequest) => void): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const begun = performance.now();
    response.setMaxListeners(MOST_LISTENERS);
    response.once('close', () => {
      const milliseconds = performance.now() - begun;
      const status = response.headersSent ? String(response.statusCode) : 'aborted';
      // Express has made it one of its own, and our middleware has added what it adds.
      const done = request as ApiRequest;
      tell({ method: request.method ?? '', route: routeOf(done), status, milliseconds, request: done });
    });
  });
}

/** Express types the route as `any`; one that has several paths is named by the first. */
function routeOf(request: Request): string {
  const { path } = (request.route ?? { path: NO_ROUTE }) as { readonly path: string | readonly string[] };
  return typeof path === 'string' ? path : (path[0] ?? NO_ROUTE);
}
