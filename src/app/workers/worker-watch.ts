import type { Worker } from 'node:cluster';
import { tellParent } from '../../common/tell-parent.js';

interface Message {
  readonly zonewright: 'are-you-there' | 'here';
}

const ASK_EVERY = 1000;
/** Ten pings: no request may block a worker for a twentieth of that. */
const MOST_UNANSWERED = 10;
/** While the worker is stopping. */
const MOST_UNANSWERED_AT_THE_END = 3;

/** Kills a hung worker, which would keep its connections. Counts pings, since this process may be blocked too. */
export class WorkerWatch {
  private unanswered = 0;
  private most = MOST_UNANSWERED;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly worker: Worker,
    private readonly tell: (seconds: number) => void,
  ) {
    worker.on('message', (message: Message) => {
      if (message.zonewright === 'here') this.unanswered = 0;
      // Before, the worker was starting.
      if (message.zonewright === 'here') this.timer ??= setInterval(() => this.ask(), ASK_EVERY);
    });
    worker.once('exit', () => clearInterval(this.timer));
  }

  /** Kills it if it hangs, or needs longer than `timeLimit` milliseconds. */
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

/** In a worker: answers pings. */
export function answerParent(): void {
  const answer = (): void => tellParent({ zonewright: 'here' } satisfies Message);
  process.on('message', ({ zonewright }: Message) => {
    if (zonewright === 'are-you-there') answer();
  });
  answer();
}
