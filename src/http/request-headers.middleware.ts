import { randomUUID } from 'node:crypto';
import type { NextFunction, Response } from 'express';
import type { ApiRequest } from './request.js';

/** The day on which version 1 of the interface was deprecated, 2015-04-30, as RFC 9745 writes a date. */
const DEPRECATED_SINCE = '@1430352000';
const VERSION_1 = /^\/(v1|domains)(\/|$)/i;

/**
 * What every answer carries: our own request id (a client's is never reused, behaviour 1.6), `no-store` because
 * nearly every answer is a tenant's data (behaviour 1.8), and on version 1 its deprecation (behaviour 1.2).
 */
export function requestHeaders(options: { readonly deprecation: boolean }) {
  return (request: ApiRequest, response: Response, next: NextFunction): void => {
    request.requestId = newRequestId();
    response.setHeader('X-OpenStack-Request-ID', request.requestId);
    response.setHeader('Cache-Control', 'no-store');
    if (options.deprecation && VERSION_1.test(request.path)) response.setHeader('Deprecation', DEPRECATED_SINCE);
    next();
  };
}

export function newRequestId(): string {
  return `req-${randomUUID()}`;
}
