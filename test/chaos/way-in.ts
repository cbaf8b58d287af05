import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, Caller, isPassing, NoAnswer } from '../crash/caller.js';

/** The combined outcomes of all clients. */
export interface Met {
  acknowledged: number;
  /** Answered 503, or 409 because the first attempt was still under way. */
  refused: number;
  /** Without an answer, because a process died or stood still. */
  unanswered: number;
  /** Stored responses. */
  replayed: number;
}

/** Before a request is sent again, in milliseconds. */
const PAUSE = 100;
/** A stopped process answers when it continues; meanwhile the client asks the other host. */
const ANSWER_TIME = 20_000;

/** Sends requests to any responding host until their outcome is known. */
export class WayIn {
  private readonly callers: readonly Caller[];
  private at: number;

  /** @param first which of the hosts is asked first */
  constructor(
    urls: readonly string[],
    first: number,
    private readonly met: Met,
  ) {
    this.callers = urls.map((url) => new Caller(url));
    this.at = first % urls.length;
  }

  /**
   * Retries until a response arrives. Requests without an idempotency key must tolerate repetition.
   * @param expected statuses that end the retries; other statuses throw
   */
  async ask(method: string, path: string, expected: readonly number[], body?: object, key?: string): Promise<Answer> {
    for (;;) {
      const answer = await this.askOnce(method, path, body, key);
      if (answer !== null && !isPassing(answer)) {
        if (!expected.includes(answer.status))
          throw new Error(`${method} ${path} is answered ${JSON.stringify(answer)}`);
        if (answer.isReplayed) this.met.replayed += 1;
        return answer;
      }
      if (answer !== null) this.met.refused += 1;
      await delay(PAUSE);
    }
  }

  close(): void {
    for (const caller of this.callers) caller.close();
  }

  private async askOnce(method: string, path: string, body?: object, key?: string): Promise<Answer | null> {
    const caller = this.callers[this.at];
    if (caller === undefined) throw new Error('no host is left');
    const late = new AbortController();
    try {
      const answer = caller.call(method, path, body, key);
      // It may still fail after the caller stopped waiting.
      answer.catch(() => undefined);
      return await Promise.race([answer, tooLate(late.signal)]);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.met.unanswered += 1;
      this.at = (this.at + 1) % this.callers.length;
      return null;
    } finally {
      late.abort();
    }
  }
}

async function tooLate(end: AbortSignal): Promise<never> {
  await delay(ANSWER_TIME, undefined, { signal: end, ref: false }).catch(() => undefined);
  throw new NoAnswer('nothing came');
}
