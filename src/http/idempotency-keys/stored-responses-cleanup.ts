import { Injectable } from '@nestjs/common';
import { Scheduler } from '../../background/scheduler.js';
import { MINUTE } from '../../background/background-task.js';
import { StoredResponseRepository } from './stored-response.repository.js';

/** Removes answers that are too old, in portions, so that no change waits for it. */
@Injectable()
export class StoredResponsesCleanup {
  constructor(background: Scheduler, answers: StoredResponseRepository) {
    background.add({
      name: 'http.kept-answers',
      every: MINUTE,
      failureMessages: {
        failing: 'Answers of more than 24 hours ago cannot be removed at the moment',
        recovered: 'Answers of more than 24 hours ago are removed again.',
      },
      run: async (signal) => {
        while (!signal.aborted && (await answers.removeSome()));
      },
    });
  }
}
