import { Injectable } from '@nestjs/common';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { ScopedCalls } from './scoped-calls.js';
import { ScopedStream } from './scoped-stream.js';
import { PluginCalls } from './plugin-calls.js';

/** The way for a plugin to everything that is committed, and to nothing else. */
@Injectable()
export class PluginReads {
  /** @internal */
  constructor(
    private readonly reads: Reads,
    private readonly calls: PluginCalls,
  ) {}

  /**
   * There are few connections for reads, so `work` asks the database and nobody else. Beyond `request_time_limit` it is given
   * up, and its connection closed.
   * @throws what `work` throws, or a ServiceError `unavailable` when it is overdue
   */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const calls = new ScopedCalls(this.calls.partOfCaller('Reads'), this.calls.limits.request, null);
    return this.reads.run((tx) => calls.run(tx, work));
  }

  /**
   * What `work` yields, all of it read from one moment of the database. That moment is held until the consumer has taken
   * everything, so a consumer must not wait for a network. Beyond `background_time_limit` it is given up.
   * @throws what `work` throws, or a ServiceError `unavailable` when all of it has not been taken in time
   */
  stream<T>(work: (tx: Transaction) => AsyncIterable<T>): AsyncIterable<T> {
    const part = this.calls.partOfCaller('Reads');
    return new ScopedStream(this.reads, part, this.calls.limits.background, work);
  }
}
