import type { Lease } from './lease.js';

/** In milliseconds, for `every`. */
export const MINUTE = 60_000;
export const HOUR = 3_600_000;

/** Work that nobody asks for, as a feature declares it to `Scheduler`. */
export interface BackgroundTask {
  /** As the metrics and the log name it: `records.expiry`. */
  readonly name: string;
  /**
   * From the end of one run to the beginning of the next, in milliseconds; a function is told how long the run took.
   * `Infinity`: it runs only when it is woken.
   */
  readonly every: number | ((took: number) => number);
  /** Whether the first run begins with the program, or the lease, and not an interval later. */
  readonly runOnStart?: boolean;
  /** One process does it for all: the one that has this lease, which `Scheduler.lease` makes. */
  readonly lease?: Lease;
  /** Whether it writes nothing: then it runs where a standby is all that there is, too. */
  readonly readOnly?: boolean;
  /** What the log says of failures; without it they are only counted. */
  readonly failureMessages?: FailureMessages;
  /**
   * Does what there is to do. There is one run at a time.
   * @param signal is aborted when the program stops or the lease is lost; until then all runs have the same
   * @throws whatever went wrong; it is counted and logged, and the task is tried again
   */
  run(signal: AbortSignal): Promise<void>;
  /** What remains to be done when the program stops and the last run has ended. */
  shutdown?(): Promise<void>;
}

/** Sentences of the log. */
export interface FailureMessages {
  /** What is wrong while runs fail, without a full stop: the cause follows. */
  readonly failing: string;
  readonly recovered: string;
}

/** What a feature holds of a task that it has declared. */
export interface TaskHandle {
  /** Has it run within so many milliseconds, or once more when the present run ends. After a failure it waits all the same. */
  trigger(within?: number): void;
  /** Whatever wakes it, the next run begins no sooner than so many milliseconds after this one. */
  delayNext(milliseconds: number): void;
  /** Runs it at once, when the present run has ended, and resolves when that is done, whatever became of it. */
  runNow(): Promise<void>;
  /** Something has failed that a run has begun and does not wait for. */
  fail(error: unknown): void;
}
