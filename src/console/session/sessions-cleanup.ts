import { Injectable } from '@nestjs/common';
import { Scheduler } from '../../background/scheduler.js';
import { MINUTE } from '../../background/background-task.js';
import { Clock } from '../../common/clock.js';
import { SessionRepository } from './session.repository.js';

/** Removes sessions that have ended. */
@Injectable()
export class SessionsCleanup {
  constructor(background: Scheduler, sessions: SessionRepository, clock: Clock) {
    background.add({
      name: 'console.sessions',
      every: MINUTE,
      failureMessages: {
        failing: 'Sessions that have ended cannot be removed at the moment',
        recovered: 'Sessions that have ended are removed again.',
      },
      run: async (signal) => {
        while (!signal.aborted && (await sessions.removeSome(clock.now())));
      },
    });
  }
}
