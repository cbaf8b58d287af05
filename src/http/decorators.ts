import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import { canonicalUuid } from '../common/uuid.js';
import type { ApiRequest } from './request.js';

/** Who asks. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<ApiRequest>();
  if (caller === undefined) throw new ServiceError('access_denied', 'This needs a credential.');
  return caller;
});

/**
 * A UUID of the path in canonical form. One that is malformed becomes `''`, which names nothing: it is found missing
 * in its turn, after everything that is checked before existence (behaviour 1.5, 3.4).
 */
export const PathId = createParamDecorator((name: string, context: ExecutionContext): string => {
  const value = context.switchToHttp().getRequest<ApiRequest>().params[name];
  return (typeof value === 'string' ? canonicalUuid(value) : null) ?? '';
});
