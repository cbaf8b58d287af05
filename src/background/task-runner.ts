import type { Lease } from './lease.js';
import { HEARTBEAT_INTERVAL } from './heartbeat.js';
import { setMaxListeners } from 'node:events';
import { causeOf } from '../common/service-error.js';
import type { ThrottledLogger } from '../common/throttled-logger.js';
import type { BackgroundTask, FailureMessages, TaskHandle } from './background-task.js';
import { Counter } from '../observability/metrics.js';

/** In milliseconds; doubles with each further failure. */
const SHORTEST_RETRY = 1000;
/** For tasks with short intervals, and triggered runs. */
const LONGEST_RETRY = 3000;
/** Spreads the tasks of processes that started together. */
const JITTER = 0.1;
/** In milliseconds. */
const ASK_AGAIN = 250;

/** One run at a time. */
export class TaskRunner implements TaskHandle {
  private going: AbortController | null = null;
  private timer: NodeJS.Timeout | undefined;
  private immediate: NodeJS.Immediate | undefined;
  private running: Promise<void> | null = null;
  private dueAt = Infinity;
  private restsUntil = -Infinity;
  private hasStopped = false;
  private failuresInRow = 0;
  /** In seconds since 1970. */
  succeededAt: number | null = null;
  /** In seconds. */
  duration: number | null = null;

  /** Tasks that fail together share a `warning`; `mayRun` is checked before each run. */
  constructor(
    readonly task: BackgroundTask,
    private readonly warning: ThrottledLogger | null,
    private readonly mayRun: () => boolean = () => true,
  ) {
    // Metrics show 0 from the start.
    FAILURES.of(task.name);
  }

  start(): void {
    if (this.going !== null || this.hasStopped) return;
    this.going = new AbortController();
    // Each call of a run may listen to it.
    setMaxListeners(0, this.going.signal);
    this.trigger(this.task.runOnStart === true ? 0 : this.pauseAfter(0));
    this.schedule();
  }

  pause(): void {
    this.going?.abort();
    this.going = null;
    this.dueAt = Infinity;
    this.clearTimers();
  }

  abort(): void {
    this.hasStopped = true;
    this.pause();
  }

  /** Waits for the current run, then runs `shutdown`. */
  async stop(): Promise<void> {
    this.abort();
    await this.running;
    try {
      await this.task.shutdown?.();
    } catch (error) {
      this.fail(error);
    }
  }

  trigger(within = 0): void {
    const at = performance.now() + within;
    if (at >= this.dueAt) return;
    this.dueAt = at;
    this.schedule();
  }

  delayNext(milliseconds: number): void {
    this.restsUntil = performance.now() + milliseconds;
  }

  fail(error: unknown): void {
    FAILURES.of(this.task.name).add();
    const { failureMessages } = this.task;
    if (failureMessages !== undefined)
      this.warning?.warn(`${failureMessages.failing}: ${causeOf(error)}. Trying again.`);
  }

  async runNow(): Promise<void> {
    while (this.running !== null) await this.running;
    await this.startRun(this.going ?? new AbortController());
  }

  private clearTimers(): void {
    clearTimeout(this.timer);
    clearImmediate(this.immediate);
  }

  private schedule(): void {
    this.clearTimers();
    if (this.going === null || this.running !== null || this.dueAt === Infinity) return;
    const pause = Math.max(this.dueAt, this.restsUntil) - performance.now();
    // Triggers of one turn lead to one run.
    if (pause <= 0) this.immediate = setImmediate(() => this.startRunIfAllowed());
    else this.timer = setTimeout(() => this.schedule(), Math.ceil(pause)).unref();
  }

  private startRunIfAllowed(): void {
    if (this.going === null || this.running !== null) return;
    if (this.mayRun()) void this.startRun(this.going);
    else this.timer = setTimeout(() => this.schedule(), ASK_AGAIN).unref();
  }

  private startRun({ signal }: AbortController): Promise<void> {
    this.dueAt = Infinity;
    return (this.running = this.run(signal).finally(() => {
      this.running = null;
      this.schedule();
    }));
  }

  private async run(signal: AbortSignal): Promise<void> {
    const begun = performance.now();
    try {
      await this.task.run(signal);
      this.recordSuccess();
    } catch (error) {
      // An aborted run has not failed.
      if (!signal.aborted) this.recordFailure(error);
    }
    const took = performance.now() - begun;
    this.duration = took / 1000;
    this.dueAt = Math.min(this.dueAt, performance.now() + this.pauseAfter(took));
  }

  private recordSuccess(): void {
    this.failuresInRow = 0;
    this.succeededAt = Date.now() / 1000;
    const { failureMessages } = this.task;
    if (failureMessages !== undefined) this.warning?.over(failureMessages.recovered);
  }

  private recordFailure(error: unknown): void {
    this.failuresInRow += 1;
    this.fail(error);
    this.delayNext(Math.min(this.retry(), LONGEST_RETRY));
  }

  private pauseAfter(took: number): number {
    const { every } = this.task;
    const regular = typeof every === 'number' ? every : every(took);
    const pause = this.failuresInRow === 0 ? regular : Math.min(this.retry(), longestRetry(regular));
    return pause * (1 + JITTER * (Math.random() - 0.5));
  }

  private retry(): number {
    return SHORTEST_RETRY * 2 ** Math.min(this.failuresInRow - 1, 20);
  }
}

/** A rare task is finally retried at its own interval. */
function longestRetry(regular: number): number {
  return regular === Infinity ? LONGEST_RETRY : Math.max(regular, LONGEST_RETRY);
}

const FAILURES = new Counter({
  name: 'zonewright_background_failures_total',
  help: 'Runs of background tasks that failed.',
  labels: ['task'],
});
export const SUCCEEDED = {
  name: 'zonewright_background_last_success_timestamp_seconds',
  help: 'When a run of a background task last succeeded, in seconds since 1970.',
};
export const DURATION = {
  name: 'zonewright_background_run_duration_seconds',
  help: 'How long the latest run of a background task took.',
};

/** Runs tasks while this process has their lease. */
export class LeasedTasks {
  private readonly runners: TaskRunner[] = [];
  readonly task: BackgroundTask;

  constructor(
    readonly lease: Lease,
    failureMessages: FailureMessages,
  ) {
    this.task = {
      name: `lease.${lease.name}`,
      every: HEARTBEAT_INTERVAL,
      runOnStart: true,
      failureMessages,
      run: () => this.keep(),
      shutdown: () => lease.release(),
    };
  }

  add(runner: TaskRunner): void {
    this.runners.push(runner);
    if (this.lease.isHeld) runner.start();
  }

  private async keep(): Promise<void> {
    try {
      await this.lease.attempt();
    } finally {
      for (const runner of this.runners)
        if (this.lease.isHeld) runner.start();
        else runner.pause();
    }
  }
}
