import type { Request, NextFunction, Response } from 'express';
import type { Caller } from '../common/caller.js';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Express request with the fields that middleware and guards add. */
export interface ApiRequest extends Request {
  /** `req-<uuid>`, set first. */
  requestId: string;
  /** Value of `RateLimit`; `''` if omitted from the response, absent if the request is not limited. */
  rateLimit?: string;
  countedClient?: string;
  countedToken?: string;
  /** Set by the guard on every route that needs a credential. */
  caller?: Caller;
}

/** Sets request id and common headers (behaviour 1.6, 1.8). `no-store`, because answers have data of a tenant. */
export function requestHeaders(request: ApiRequest, response: Response, next: NextFunction): void {
  request.requestId = newRequestId();
  response.setHeader('X-OpenStack-Request-ID', request.requestId);
  response.setHeader('Cache-Control', 'no-store');
  next();
}

export function newRequestId(): string {
  return `req-${randomUUID()}`;
}

/** Any version. Version 0 has nothing after the flags (W3C Trace Context §3.2). */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/;
const FIRST_VERSION_LENGTH = 55;

/** Returns the trace id, 32 hexadecimal digits, or `null`. */
export function traceIdOf({ traceparent }: IncomingHttpHeaders): string | null {
  if (typeof traceparent !== 'string') return null;
  if (traceparent.startsWith('00') && traceparent.length !== FIRST_VERSION_LENGTH) return null;
  return TRACEPARENT.exec(traceparent)?.[1] ?? null;
}
