import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { canonicalUuid } from '../../common/uuid.js';
import type { ApiRequest } from '../request.js';

/** In characters: a path may be as long as all headers. */
const QUOTED = 64;

/**
 * Injects a UUID of the path in canonical form; upper case and missing dashes make no difference.
 * @throws ServiceError `invalid_uuid`: clients send a name where they want an id, and need a refusal with a body
 */
export const V2Id = createParamDecorator((name: string, context: ExecutionContext): string => {
  const value = context.switchToHttp().getRequest<ApiRequest>().params[name];
  const id = typeof value === 'string' ? canonicalUuid(value) : null;
  // Clients compare these words.
  if (id === null) throw new ServiceError('invalid_uuid', `Invalid UUID ${name}: ${String(value).slice(0, QUOTED)}`);
  return id;
});
