import { Injectable } from '@nestjs/common';
import { Scheduler } from '../../background/scheduler.js';
import { MINUTE } from '../../background/background-task.js';
import { inBatches } from '../../background/in-batches.js';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { UpdateAnswerRepository } from './update-answer.repository.js';

const REMOVED_AT_A_TIME = 500;
/** By so many seconds clocks of machines may differ. */
const MARGIN = 60;

/** Forgets answers of messages that would be refused by now for their time. */
@Injectable()
export class UpdateAnswersCleanup {
  constructor(background: Scheduler, unitOfWork: UnitOfWork, answers: UpdateAnswerRepository, clock: Clock) {
    background.add({
      name: 'dynamic-update.answers',
      every: MINUTE,
      failureMessages: {
        failing: 'Answers to DNS updates cannot be removed at the moment',
        recovered: 'Answers to DNS updates are removed again.',
      },
      run: inBatches(unitOfWork, (tx) =>
        answers.removeSome(tx, toUnixSeconds(clock.now()) - MARGIN, REMOVED_AT_A_TIME),
      ),
    });
  }
}
