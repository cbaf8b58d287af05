import type { Response } from 'express';
import type { HeldMemory } from '../common/request-memory.js';

/** Has memory released when the answer has been taken, or its client has gone. */
export function untilAnswered(response: Response): (memory: HeldMemory) => void {
  return ({ release }) => {
    if (response.closed) release();
    else response.once('close', release);
  };
}
