import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from './decorators.js';

/** Documents a read that a client may have the answer of already (behaviour 10.1, 15.6). */
export function ApiIfNoneMatch(): MethodDecorator {
  return applyDecorators(
    ApiHeader({ name: 'If-None-Match', required: false, description: 'Entity tags: 304 when one is the current one.' }),
    ApiResponse({ status: 304, description: 'Not modified: the client has the current one.' }),
  );
}

/** Documents the `ETag` of an answer. */
export const ENTITY_TAG = {
  ETag: { description: 'The entity tag; it changes with the answer.', schema: { type: 'string' } },
} as const;
