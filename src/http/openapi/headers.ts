import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from './decorators.js';

export const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds after which to try again.',
    schema: { type: 'integer', minimum: 0, example: 2 },
  },
} as const;

export const RATE_LIMIT = {
  RateLimit: {
    description:
      'What is left, and for how many seconds, where requests are limited (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string', example: '"address";r=298;t=41, "token";r=149;t=60' },
  },
} as const;

export const REPLAYED = {
  'Idempotent-Replayed': {
    description: '`true` where the request had been carried out before under the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const;

export function ApiIfNoneMatch(): MethodDecorator {
  return applyDecorators(
    ApiHeader({ name: 'If-None-Match', required: false, description: 'Entity tags: 304 when one is the current one.' }),
    ApiResponse({ status: 304, description: 'Not modified: the client has the current one.' }),
  );
}

export const ENTITY_TAG = {
  ETag: { description: 'The entity tag; it changes with the answer.', schema: { type: 'string' } },
} as const;
