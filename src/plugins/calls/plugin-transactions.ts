import { PluginUnavailable } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import { type PluginCall, scopeTransaction, PluginCalls } from './plugin-call.js';
import { Reads } from '../../database/reads.js';
import { Injectable } from '@nestjs/common';
import { UnitOfWork, type WorkScope } from '../../database/unit-of-work.js';

/** If the change is retried, an overdue call fails immediately. */
export class ScopedCalls {
  private overdue: PluginUnavailable | null = null;

  /** `limit` is for each call, in milliseconds. */
  constructor(
    private readonly part: PluginCall,
    private readonly limit: number,
    private readonly tenantId: string | null,
  ) {}

  get refusal(): PluginUnavailable | null {
    return this.overdue;
  }

  /** @throws PluginUnavailable if a call is or was overdue */
  async run<T>(tx: Transaction, work: (scoped: Transaction) => Promise<T>): Promise<T> {
    if (this.overdue !== null) throw this.overdue;
    try {
      return await scopeTransaction(tx, (scoped) => this.part.call(this.limit, this.tenantId, () => work(scoped)));
    } catch (error) {
      if (error instanceof PluginUnavailable) this.overdue = error;
      throw error;
    }
  }
}

/** Ends at its deadline, whether the work or the consumer hangs. */
class ScopedStream<T> implements AsyncIterable<T> {
  /** @param limit in milliseconds, from the connection to the last piece */
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
      // The consumer may never ask for the next piece.
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
      // As `for await` does when it leaves an iterator.
      if (isLeft) await time.waitFor(async () => items.return?.());
    }
  }
}

class TimeOfStream {
  private hasBegun = false;
  private overdue: Error | null = null;
  private giveUp: (reason: Error) => void = () => undefined;
  end: () => void = () => undefined;

  constructor(
    private readonly part: PluginCall,
    private readonly limit: number,
    private readonly tell: (error: Error) => void,
  ) {}

  async begin(): Promise<void> {
    const ended = new Promise<void>((resolve) => (this.end = resolve));
    const call = this.part.call(this.limit, null, () => {
      this.hasBegun = true;
      return ended;
    });
    if (!this.hasBegun) return call;
    // It throws only the refusal of the stream.
    void call.catch((error: unknown) => this.giveUpBecause(error as Error));
  }

  /** @throws the refusal of the stream at its deadline, or the error of `wait` */
  waitFor<T>(wait: () => Promise<T>): Promise<T> {
    const { overdue } = this;
    // A race with one promise for all would leak memory for each piece.
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

/** Reads committed data for a plugin. */
@Injectable()
export class PluginReads {
  /** @internal */
  constructor(
    private readonly reads: Reads,
    private readonly calls: PluginCalls,
  ) {}

  /**
   * Few connections serve reads, so `work` must wait for the database only. After `request_time_limit` it is aborted.
   * @throws the error of `work`, or a ServiceError `unavailable` if it is overdue
   */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const calls = new ScopedCalls(this.calls.partOfCaller('Reads'), this.calls.limits.request, null);
    return this.reads.run((tx) => calls.run(tx, work));
  }

  /**
   * Streams the rows of `work` from one snapshot. It lasts until all is read, so a consumer must not wait for networks.
   * After `background_time_limit` it is aborted.
   * @throws the error of `work`, or a ServiceError `unavailable` if it is overdue
   */
  stream<T>(work: (tx: Transaction) => AsyncIterable<T>): AsyncIterable<T> {
    const part = this.calls.partOfCaller('Reads');
    return new ScopedStream(this.reads, part, this.calls.limits.background, work);
  }
}

/** The only way for a plugin to write. Commits concurrent requests together, and answers only after the commit. */
@Injectable()
export class PluginUnitOfWork {
  /** @internal */
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly calls: PluginCalls,
  ) {}

  /**
   * Others wait for `work`, so it must wait for the database only, and check before it writes. After
   * `change_time_limit_ms`, or `request_time_limit` if `isLong`, it is rolled back.
   * @param work may run again, if another member of its group fails or PostgreSQL aborts it in favor of another
   * transaction
   * @throws the error of `work`, or a ServiceError `unavailable` if it is overdue or the database cannot commit
   */
  run<T>(work: (transaction: Transaction) => Promise<T>, scope: WorkScope = {}): Promise<T> {
    const { limits } = this.calls;
    const limit = scope.isLong === true ? limits.request : limits.change;
    const calls = new ScopedCalls(this.calls.partOfCaller('UnitOfWork'), limit, scope.tenantId ?? null);
    return this.unitOfWork.run((tx) => calls.run(tx, work), scope);
  }
}
