import { migration } from '../../database/schema/lazy-migration.js';
import { feature, moduleOf } from '../../plugins/feature.js';

/** Requests that may be sent again without being carried out again (behaviour 10.2). */
export const IDEMPOTENCY_KEYS = feature({
  name: 'idempotency-keys',
  schema: async () => ({
    entities: [(await import('./kept-answer.entity.js')).KeptAnswerEntity],
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
    const { AnswersOnce } = await import('./answers-once.js');
    const { KeptAnswersOptions } = await import('./kept-answers.options.js');
    const module = moduleOf('IdempotencyKeys', {
      global: true,
      providers: [
        AnswersOnce,
        (await import('./kept-answer.repository.js')).KeptAnswerRepository,
        (await import('./kept-answer-room.js')).KeptAnswerRoom,
        (await import('./kept-answers-cleanup.js')).KeptAnswersCleanup,
        { provide: KeptAnswersOptions, useValue: { perTenant: api.maxKeptAnswers } },
      ],
      exports: [AnswersOnce],
    });
    return { modules: [module] };
  },
});
