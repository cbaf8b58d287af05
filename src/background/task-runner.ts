import { setMaxListeners } from 'node:events';
import { causeOf } from '../common/cause.js';
import type { ThrottledLogger } from '../common/throttled-logger.js';
import type { BackgroundTask, TaskHandle } from './background-task.js';
import { FAILURES } from './task-metrics.js';

/** After a failure the next run waits so long, after each further one twice as long; in milliseconds. */
const SHORTEST_RETRY = 1000;
/** What is due more often than that is tried again so often, and what is woken waits no longer. */
const LONGEST_RETRY = 3000;
/** Processes that were started together do not all run their tasks at the same time. */
const JITTER = 0.1;
/** How soon it is asked again whether a task may run, in milliseconds. */
const ASK_AGAIN = 250;

/** Runs one background task again and again, one run at a time, between `start` and `pause`. */
export class TaskRunner implements TaskHandle {
  private going: AbortController | null = null;
  private timer: NodeJS.Timeout | undefined;
  private immediate: NodeJS.Immediate | undefined;
  private running: Promise<void> | null = null;
  private dueAt = Infinity;
  private restsUntil = -Infinity;
  private hasStopped = false;
  private failuresInRow = 0;
  /** When the latest run that succeeded ended, in seconds since 1970; `null`: none has. */
  succeededAt: number | null = null;
  /** How long the latest run took, in seconds; `null` before the first. */
  duration: number | null = null;

  /**
   * @param warning says failures; tasks that fail together share one
   * @param mayRun is asked before each run
   */
  constructor(
    readonly task: BackgroundTask,
    private readonly warning: ThrottledLogger | null,
    private readonly mayRun: () => boolean = () => true,
  ) {
    // From the beginning there is a count, of 0, which may grow.
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

  /** Begins no further run, and aborts the one that is under way. */
  pause(): void {
    this.going?.abort();
    this.going = null;
    this.dueAt = Infinity;
    this.clearTimers();
  }

  /** As `pause`, for good. */
  abort(): void {
    this.hasStopped = true;
    this.pause();
  }

  /** Ends it for good: waits for the run that is under way, and does what remains to be done. */
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

  /** Runs it at once, when the present run has ended, and resolves when that is done. */
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
    // What wakes it in one turn of the event loop leads to one run.
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
      // What was broken off has not failed.
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

/** What runs seldom is tried again no more often than that in the end, however soon at first. */
function longestRetry(regular: number): number {
  return regular === Infinity ? LONGEST_RETRY : Math.max(regular, LONGEST_RETRY);
}
