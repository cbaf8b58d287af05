import type { NextFunction, Request, Response } from 'express';

/** The day on which version 1 of the interface was deprecated, 2015-04-30, as RFC 9745 §2.1 writes a date. */
const DEPRECATED_SINCE = '@1430352000';
const VERSION_1 = /^\/(v1|domains)(\/|$)/i;

/** Marks every answer of version 1, refusals included, as deprecated (behaviour 1.2). */
export function markDeprecated(request: Request, response: Response, next: NextFunction): void {
  if (VERSION_1.test(request.path)) response.setHeader('Deprecation', DEPRECATED_SINCE);
  next();
}
