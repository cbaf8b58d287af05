import { MINUTE } from '../../background/background-task.js';
import { feature, moduleOf } from '../../plugins/feature.js';

/** Safe retries of requests (behaviour 10.2). */
export const IDEMPOTENCY_KEYS = feature({
  name: 'idempotency-keys',
  entities: async () => [(await import('./stored-response.repository.js')).StoredResponseEntity],
  api: async ({ config: { api } }) => {
    const { IdempotentRequests } = await import('./idempotent-requests.js');
    const { StoredResponseRepository } = await import('./stored-response.repository.js');
    const { IdempotencyOptions } = await import('./idempotency.options.js');
    const module = moduleOf('IdempotencyKeys', {
      global: true,
      providers: [
        IdempotentRequests,
        StoredResponseRepository,
        (await import('./stored-response-room.js')).StoredResponseRoom,
        { provide: IdempotencyOptions, useValue: { perTenant: api.maxKeptAnswers } },
      ],
      exports: [IdempotentRequests],
    });
    return {
      modules: [module],
      retention: [
        {
          name: 'http.kept-answers',
          subject: 'stored responses older than 24 hours',
          every: MINUTE,
          remove: (services, tx) => services.get(StoredResponseRepository).removeSome(tx),
        },
      ],
    };
  },
});
