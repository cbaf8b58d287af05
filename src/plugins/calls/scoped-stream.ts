import type { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import type { PluginCall } from './plugin-call.js';

/** What a plugin reads piece by piece. It ends when its time is over, whoever hangs: the work, or who takes the pieces. */
export class ScopedStream<T> implements AsyncIterable<T> {
  /** @param limit in milliseconds, from the moment when there is a connection until the last piece is taken */
  constructor(
    private readonly reads: Reads,
    private readonly part: PluginCall,
    private readonly limit: number,
    private readonly work: (tx: Transaction) => AsyncIterable<T>,
  ) {}

  [Symbol.asyncIterator](): AsyncIterator<T> {
    let overdue: Error | null = null;
    const pieces: AsyncGenerator<T> = this.pieces((error) => {
      overdue = error;
      // Whoever took the last piece may never ask for the next. Where the work hangs, this waits until it is given up.
      void pieces.throw(error).catch(() => undefined);
    });
    return {
      next: async () => {
        if (overdue !== null) throw overdue;
        return pieces.next();
      },
      return: () => pieces.return(undefined),
    };
  }

  private async *pieces(tell: (error: Error) => void): AsyncGenerator<T> {
    yield* this.reads.stream((tx) => this.scoped(tx, new TimeOfStream(this.part, this.limit, tell)));
  }

  private async *scoped(tx: Transaction, time: TimeOfStream): AsyncGenerator<T> {
    const scoped = tx.lend();
    try {
      await time.begin();
      yield* this.inTime(time, () => this.work(scoped)[Symbol.asyncIterator]());
    } finally {
      scoped.end();
      time.end();
    }
  }

  private async *inTime(time: TimeOfStream, open: () => AsyncIterator<T, unknown>): AsyncGenerator<T> {
    const items = this.part.during(open);
    let isLeft = false;
    try {
      for (;;) {
        const next = await time.waitFor(() => this.part.during(() => items.next()));
        if (next.done === true) return;
        isLeft = true;
        yield next.value;
        isLeft = false;
      }
    } finally {
      // As `for await` tells an iterator that it is left.
      if (isLeft) await time.waitFor(async () => items.return?.());
    }
  }
}

/** How long a stream may take in all. */
class TimeOfStream {
  private hasBegun = false;
  private overdue: Error | null = null;
  private giveUp: (reason: Error) => void = () => undefined;
  end: () => void = () => undefined;

  /** @param tell is told when the time is over */
  constructor(
    private readonly part: PluginCall,
    private readonly limit: number,
    private readonly tell: (error: Error) => void,
  ) {}

  /** @throws PluginUnavailable where the plugin is not asked for a while */
  async begin(): Promise<void> {
    const ended = new Promise<void>((resolve) => (this.end = resolve));
    const call = this.part.call(this.limit, null, () => {
      this.hasBegun = true;
      return ended;
    });
    if (!this.hasBegun) return call;
    // It throws nothing but what refuses the stream.
    void call.catch((error: unknown) => this.giveUpBecause(error as Error));
  }

  /** @throws what refuses the stream when its time is over, or what `wait` throws */
  waitFor<T>(wait: () => Promise<T>): Promise<T> {
    const { overdue } = this;
    // A race with one promise for all would keep something of each piece until the end.
    return new Promise((resolve, reject) => {
      this.giveUp = reject;
      if (overdue === null) wait().then(resolve, reject);
      else reject(overdue);
    });
  }

  private giveUpBecause(error: Error): void {
    this.overdue = error;
    this.giveUp(error);
    this.tell(error);
  }
}
