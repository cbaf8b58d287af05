import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { ThrottledLogger } from '../common/throttled-logger.js';
import { showGauge } from '../observability/gauge.js';
import type { BackgroundTask, TaskHandle, FailureMessages } from './background-task.js';
import { Lease } from './lease.js';
import { LeaseRepository } from './lease.repository.js';
import { LeasedTasks } from './leased-tasks.js';
import { DURATION, SUCCEEDED } from './task-metrics.js';
import { TaskRunner } from './task-runner.js';

/** How long a stop waits at least for what tasks write down last, in milliseconds. */
const LAST_WRITES = 4000;

/**
 * Runs everything that runs without a request. Tasks begin in the order in which features declare them, and end in the reverse
 * one. Only programs that go on until they are stopped start it.
 */
@Injectable()
export class Scheduler implements OnModuleDestroy {
  private readonly logger = new Logger('Zonewright');
  private readonly runners: TaskRunner[] = [];
  private readonly leased = new Map<Lease, LeasedTasks>();
  private readonly warnings = new Map<string, ThrottledLogger>();
  private readonly ends: (() => void)[] = [];
  private started: 'all' | 'reading' | null = null;
  private stopping: Promise<void> | null = null;

  constructor(private readonly leases: LeaseRepository) {}

  /** Declares a task, which begins with the others, or at once where they have begun. */
  add(task: BackgroundTask): TaskHandle {
    const { lease } = task;
    const warning = this.warningOf(task.failureMessages);
    if (lease === undefined) return this.run(new TaskRunner(task, warning));
    const runner = new TaskRunner(task, warning, () => lease.isHeld);
    this.runners.push(runner);
    this.leased.get(lease)?.add(runner);
    return runner;
  }

  /**
   * A lease for tasks that one process does for all. It is held as long as this program runs.
   * @param failureMessages what fails where it cannot be renewed
   */
  lease(name: string, failureMessages: FailureMessages): Lease {
    const tasks = new LeasedTasks(new Lease(name, this.leases), failureMessages);
    this.leased.set(tasks.lease, tasks);
    this.add(tasks.task);
    return tasks.lease;
  }

  /** Begins all tasks. */
  start(): void {
    this.begin('all');
  }

  /** The same in a program that cannot write: nothing else begins than what only reads. */
  startReading(): void {
    this.begin('reading');
  }

  private begin(what: 'all' | 'reading'): void {
    if (this.started !== null) return;
    this.started = what;
    this.ends.push(
      showGauge(SUCCEEDED, () => this.valuesOf(({ succeededAt }) => succeededAt), 'max'),
      showGauge(DURATION, () => this.valuesOf(({ duration }) => duration), 'max'),
    );
    for (const runner of this.runners) this.beginIfItMay(runner);
  }

  private beginIfItMay(runner: TaskRunner): void {
    const { lease, readOnly = false } = runner.task;
    if (lease === undefined && (this.started === 'all' || readOnly)) runner.start();
  }

  /** Runs a task at once, and resolves when that is done, whatever became of it. */
  async runNow(name: string): Promise<void> {
    const runner = this.runners.find(({ task }) => task.name === name);
    if (runner === undefined) throw new Error(`there is no background task ${name}`);
    await runner.runNow();
  }

  /**
   * Ends all tasks: breaks off their runs at once, then has each do what remains, the last one first. May be called twice.
   * @param grace for how long they are waited for, in milliseconds
   */
  stop(grace = LAST_WRITES): Promise<void> {
    return (this.stopping ??= this.finish(performance.now() + Math.max(grace, LAST_WRITES)));
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  private run(runner: TaskRunner): TaskRunner {
    this.runners.push(runner);
    if (this.started !== null && this.stopping === null) this.beginIfItMay(runner);
    return runner;
  }

  private async finish(deadline: number): Promise<void> {
    for (const end of this.ends) end();
    if (this.started === null) return;
    const lastFirst = [...this.runners].reverse();
    // A lease is held until its tasks have ended.
    for (const runner of lastFirst) if (!this.keepsLease(runner)) runner.abort();
    for (const runner of lastFirst)
      if (!(await endsWithin(halfOfTheTimeTo(deadline), runner.stop())))
        this.logger.warn(`The background task ${runner.task.name} does not end, and is left behind.`);
  }

  private keepsLease({ task }: TaskRunner): boolean {
    return [...this.leased.values()].some((leased) => leased.task === task);
  }

  private warningOf(failureMessages: FailureMessages | undefined): ThrottledLogger | null {
    if (failureMessages === undefined) return null;
    const known = this.warnings.get(failureMessages.failing) ?? new ThrottledLogger();
    this.warnings.set(failureMessages.failing, known);
    return known;
  }

  private valuesOf(read: (runner: TaskRunner) => number | null): { labels: { task: string }; value: number }[] {
    return this.runners.flatMap((runner) => {
      const value = read(runner);
      return value === null ? [] : [{ labels: { task: runner.task.name }, value }];
    });
  }
}

/** One that hangs leaves time to those after it. */
function halfOfTheTimeTo(deadline: number): number {
  return Math.max(0, deadline - performance.now()) / 2;
}

async function endsWithin(milliseconds: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const isOver = await Promise.race([work.then(() => true), patience]);
  clearTimeout(timer);
  return isOver;
}
