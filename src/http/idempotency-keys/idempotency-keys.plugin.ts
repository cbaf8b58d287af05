import { migration } from '../../database/schema/lazy-migration.js';
import { feature, moduleOf } from '../../plugins/feature.js';

/** Requests that may be sent again without being carried out again (behaviour 10.2). */
export const IDEMPOTENCY_KEYS = feature({
  name: 'idempotency-keys',
  schema: async () => ({
    entities: [(await import('./stored-response.entity.js')).StoredResponseEntity],
    migrations: [
      migration(
        'CreateKeptAnswers1763800000000',
        () => import('../../database/migrations/1763800000000-create-kept-answers.js'),
      ),
      migration(
        'WeighKeptAnswers1763891100000',
        () => import('../../database/migrations/1763891100000-weigh-kept-answers.js'),
      ),
    ],
  }),
  api: async ({ config: { api } }) => {
    const { IdempotentRequests } = await import('./idempotent-requests.js');
    const { IdempotencyOptions } = await import('./idempotency.options.js');
    const module = moduleOf('IdempotencyKeys', {
      global: true,
      providers: [
        IdempotentRequests,
        (await import('./stored-response.repository.js')).StoredResponseRepository,
        (await import('./stored-response-room.js')).StoredResponseRoom,
        (await import('./stored-responses-cleanup.js')).StoredResponsesCleanup,
        { provide: IdempotencyOptions, useValue: { perTenant: api.maxKeptAnswers } },
      ],
      exports: [IdempotentRequests],
    });
    return { modules: [module] };
  },
});
