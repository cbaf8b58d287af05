/** Documents how long a client waits before it tries again. */
export const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds after which to try again.',
    schema: { type: 'integer', minimum: 0, example: 2 },
  },
} as const;
