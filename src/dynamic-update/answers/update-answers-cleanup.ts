import { Injectable } from '@nestjs/common';
import { Background } from '../../background/background.js';
import { MINUTE } from '../../background/background-task.js';
import { inPortions } from '../../background/in-portions.js';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { UpdateAnswerRepository } from './update-answer.repository.js';

const REMOVED_AT_A_TIME = 500;
/** By so many seconds clocks of machines may differ. */
const MARGIN = 60;

/** Forgets answers of messages that would be refused by now for their time. */
@Injectable()
export class UpdateAnswersCleanup {
  constructor(background: Background, unitOfWork: UnitOfWork, answers: UpdateAnswerRepository, clock: Clock) {
    background.add({
      name: 'dynamic-update.answers',
      every: MINUTE,
      trouble: {
        begins: 'Answers to DNS updates cannot be removed at the moment',
        ends: 'Answers to DNS updates are removed again.',
      },
      run: inPortions(unitOfWork, (tx) =>
        answers.removeSome(tx, toUnixSeconds(clock.now()) - MARGIN, REMOVED_AT_A_TIME),
      ),
    });
  }
}
