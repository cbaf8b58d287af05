import type { Worker } from 'node:cluster';
import { tellParent } from '../../common/tell-parent.js';

/** What the parent asks a worker, and what that answers. */
interface Message {
  readonly zonewright: 'are-you-there' | 'here';
}

/** In milliseconds. */
const ASK_EVERY = 1000;
/** A process that answers none of so many questions does not work; no request may keep it for a twentieth of that. */
const MOST_UNANSWERED = 10;
/** The same of one that is to end. */
const MOST_UNANSWERED_AT_THE_END = 3;

/**
 * Asks a worker again and again whether it is there, and ends it where it does not answer: it would keep its connections and
 * its share of the new ones. Questions are counted, not time, because this process may be what stands still.
 */
export class WorkerWatch {
  private unanswered = 0;
  private most = MOST_UNANSWERED;
  private timer: NodeJS.Timeout | undefined;

  /** @param tell is called before a worker that does not answer is ended */
  constructor(
    private readonly worker: Worker,
    private readonly tell: (seconds: number) => void,
  ) {
    worker.on('message', (message: Message) => {
      if (message.zonewright === 'here') this.unanswered = 0;
      // It is there for the first time: before, it was loading itself.
      if (message.zonewright === 'here') this.timer ??= setInterval(() => this.ask(), ASK_EVERY);
    });
    worker.once('exit', () => clearInterval(this.timer));
  }

  /** Asks it to end, and kills it where it does not answer any more, or where it takes longer than `timeLimit` milliseconds. */
  end(timeLimit: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.worker.isDead()) return resolve();
      const timer = setTimeout(() => this.worker.process.kill('SIGKILL'), timeLimit);
      this.worker.once('exit', () => {
        clearTimeout(timer);
        resolve();
      });
      this.most = MOST_UNANSWERED_AT_THE_END;
      this.worker.process.kill('SIGTERM');
    });
  }

  private ask(): void {
    if (this.unanswered >= this.most) {
      clearInterval(this.timer);
      this.tell((this.unanswered * ASK_EVERY) / 1000);
      this.worker.process.kill('SIGKILL');
      return;
    }
    this.unanswered += 1;
    this.worker.send({ zonewright: 'are-you-there' } satisfies Message, undefined, undefined, () => undefined);
  }
}

/** In a worker: says that it is there, and whenever its parent asks. */
export function answerParent(): void {
  const answer = (): void => tellParent({ zonewright: 'here' } satisfies Message);
  process.on('message', ({ zonewright }: Message) => {
    if (zonewright === 'are-you-there') answer();
  });
  answer();
}
