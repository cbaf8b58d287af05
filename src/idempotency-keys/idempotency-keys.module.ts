import { Global, Module } from '@nestjs/common';
import { AnswersOnce } from './answers-once.js';
import { KeptAnswerRepository } from './kept-answer.repository.js';
import { KeptAnswersCleanup } from './kept-answers-cleanup.js';

/** Global, because every adapter with operations that may be repeated uses it. */
@Global()
@Module({ providers: [AnswersOnce, KeptAnswerRepository, KeptAnswersCleanup], exports: [AnswersOnce] })
export class IdempotencyKeysModule {}
