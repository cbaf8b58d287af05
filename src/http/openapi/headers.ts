/** Documents how long a client waits before it tries again. */
export const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds after which to try again.',
    schema: { type: 'integer', minimum: 0, example: 2 },
  },
} as const;

/** Documents what is left of a rate, where requests are limited. */
export const RATE_LIMIT = {
  RateLimit: {
    description:
      'What is left, and for how many seconds, where requests are limited (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string', example: '"address";r=298;t=41, "token";r=149;t=60' },
  },
} as const;

/** Documents that an answer is the one that was given first. */
export const REPLAYED = {
  'Idempotent-Replayed': {
    description: '`true` where the request had been carried out before under the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const;
