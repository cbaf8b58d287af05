import { randomUUID } from 'node:crypto';
import type { NextFunction, Response } from 'express';
import type { ApiRequest } from './request.js';

/**
 * Gives the request an id of ours (behaviour 1.6) and sets the headers of every answer: that id, and `no-store`,
 * because nearly every answer is a tenant's data (1.8).
 */
export function requestHeaders(request: ApiRequest, response: Response, next: NextFunction): void {
  request.requestId = newRequestId();
  response.setHeader('X-OpenStack-Request-ID', request.requestId);
  response.setHeader('Cache-Control', 'no-store');
  next();
}

export function newRequestId(): string {
  return `req-${randomUUID()}`;
}
