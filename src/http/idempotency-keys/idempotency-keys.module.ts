import { type DynamicModule, Module } from '@nestjs/common';
import { AnswersOnce } from './answers-once.js';
import { KeptAnswerRoom } from './kept-answer-room.js';
import { KeptAnswerRepository } from './kept-answer.repository.js';
import { KeptAnswersCleanup } from './kept-answers-cleanup.js';
import { KeptAnswersOptions } from './kept-answers.options.js';

/** Global, because every adapter with operations that may be repeated uses it. */
@Module({})
export class IdempotencyKeysModule {
  static register(options: KeptAnswersOptions): DynamicModule {
    return {
      module: IdempotencyKeysModule,
      global: true,
      providers: [
        AnswersOnce,
        KeptAnswerRepository,
        KeptAnswerRoom,
        KeptAnswersCleanup,
        { provide: KeptAnswersOptions, useValue: options },
      ],
      exports: [AnswersOnce],
    };
  }
}
