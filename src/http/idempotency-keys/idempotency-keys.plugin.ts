import { feature, moduleOf } from '../../plugins/feature.js';

/** Requests that may be sent again without being carried out again (behaviour 10.2). */
export const IDEMPOTENCY_KEYS = feature({
  name: 'idempotency-keys',
  schema: async () => ({
    entities: [(await import('./kept-answer.entity.js')).KeptAnswerEntity],
    migrations: [
      (await import('../../database/migrations/1763800000000-create-kept-answers.js')).CreateKeptAnswers1763800000000,
      (await import('../../database/migrations/1763891100000-weigh-kept-answers.js')).WeighKeptAnswers1763891100000,
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
