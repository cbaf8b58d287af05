import type { ServerResponse } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import { canonicalUuid } from '../common/uuid.js';
import type { ApiRequest } from './request.js';
import { goneOf } from './request-lifetime.js';

/** Injects the authenticated caller. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const caller = callerIn(context);
  if (caller === null) throw new ServiceError('access_denied', 'This needs a credential.');
  return caller;
});

/** Returns the caller for guards and interceptors; `null` for a public operation. */
export function callerIn(context: ExecutionContext): Caller | null {
  return context.switchToHttp().getRequest<ApiRequest>().caller ?? null;
}

/** A malformed UUID becomes `''`, because 404 must follow the checks before existence (behaviour 1.5, 3.4). */
export const PathId = createParamDecorator((name: string, context: ExecutionContext): string => {
  const value = context.switchToHttp().getRequest<ApiRequest>().params[name];
  return (typeof value === 'string' ? canonicalUuid(value) : null) ?? '';
});

export const Gone = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal =>
  goneOf(context.switchToHttp().getResponse<ServerResponse>()),
);
