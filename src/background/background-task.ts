import { setTimeout as delay } from 'node:timers/promises';
import type { Lease } from './lease.js';
import type { Transaction } from '../database/transaction.js';
import type { UnitOfWork } from '../database/unit-of-work.js';

export const MINUTE = 60_000;
export const HOUR = 3_600_000;

export interface BackgroundTask {
  /** In metrics and logs: `records.expiry`. */
  readonly name: string;
  /** Milliseconds between runs; a function gets the last duration. `Infinity`: only when triggered. */
  readonly every: number | ((took: number) => number);
  /** Runs at the start, or when the lease is taken, instead of an interval later. */
  readonly runOnStart?: boolean;
  /** From `Scheduler.lease`: only its holder runs the task. */
  readonly lease?: Lease;
  /** Also runs on a standby. */
  readonly readOnly?: boolean;
  /** Without them, failures are only counted. */
  readonly failureMessages?: FailureMessages;
  /** Errors are counted and logged, and the task is retried. All runs share the `signal`. */
  run(signal: AbortSignal): Promise<void>;
  shutdown?(): Promise<void>;
}

export interface FailureMessages {
  /** Without a full stop: the cause follows. */
  readonly failing: string;
  readonly recovered: string;
}

export interface TaskHandle {
  /** In milliseconds, or after the present run. A retry delay still applies. */
  trigger(within?: number): void;
  /** Delays triggered runs too. */
  delayNext(milliseconds: number): void;
  /** Immediately, or after the present run. Resolves even after a failure. */
  runNow(): Promise<void>;
  /** For work that a run started without waiting for it. */
  fail(error: unknown): void;
}

/**
 * Other changes run between batches.
 * @param write returns whether more may remain
 * @param pauseAfter milliseconds before the next batch; `took`: milliseconds of the last one
 */
export function inBatches(
  unitOfWork: UnitOfWork,
  write: (tx: Transaction) => Promise<boolean>,
  pauseAfter?: (took: number) => number,
): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    for (let begun = performance.now(); !signal.aborted; begun = performance.now()) {
      if (!(await unitOfWork.run(write, { queue: 'cleanups' }))) return;
      if (pauseAfter !== undefined) await delay(pauseAfter(performance.now() - begun));
    }
  };
}
