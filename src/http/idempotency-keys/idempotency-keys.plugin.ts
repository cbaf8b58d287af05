import { definePlugin } from '../../plugins/plugin.js';

/** Requests that may be sent again without being carried out again (behaviour 10.2). */
export const IDEMPOTENCY_KEYS = definePlugin({
  name: 'idempotency-keys',
  zonewright: '*',
  schema: () => import('./idempotency-keys.schema.js'),
  api: async ({ config: { api } }) => {
    const { IdempotencyKeysModule } = await import('./idempotency-keys.module.js');
    return { modules: [IdempotencyKeysModule.register({ perTenant: api.maxKeptAnswers })] };
  },
});
