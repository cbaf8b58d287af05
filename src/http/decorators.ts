import type { ServerResponse } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import { canonicalUuid } from '../common/uuid.js';
import type { ApiRequest } from './request.js';

/** Injects the caller that the guard has authenticated. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const caller = callerIn(context);
  if (caller === null) throw new ServiceError('access_denied', 'This needs a credential.');
  return caller;
});

/** The same for guards and interceptors; `null` where the operation is public. */
export function callerIn(context: ExecutionContext): Caller | null {
  return context.switchToHttp().getRequest<ApiRequest>().caller ?? null;
}

/**
 * Injects a UUID of the path in canonical form. A malformed one becomes `''`, an id that nothing has: the answer is 404
 * only after the checks that come before existence (behaviour 1.5, 3.4).
 */
export const PathId = createParamDecorator((name: string, context: ExecutionContext): string => {
  const value = context.switchToHttp().getRequest<ApiRequest>().params[name];
  return (typeof value === 'string' ? canonicalUuid(value) : null) ?? '';
});

/** Injects a signal that says that the answer is over, or that its client has gone away before. */
export const Gone = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal =>
  goneOf(context.switchToHttp().getResponse<ServerResponse>()),
);

/** One for all: each answer ends once, and a reason of its own would note the stack there. */
const OVER = new DOMException('The answer is over.', 'AbortError');

/** The same for a response that is at hand. */
export function goneOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort(OVER);
  response.once('close', () => gone.abort(OVER));
  return gone.signal;
}
