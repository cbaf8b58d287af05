import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { ThrottledLogger } from '../common/throttled-logger.js';
import { showGauge } from '../observability/metrics.js';
import type { BackgroundTask, TaskHandle, FailureMessages } from './background-task.js';
import { Lease } from './lease.js';
import { LeasedTasks } from './task-runner.js';
import { LeaseRepository } from './lease.repository.js';
import { DURATION, SUCCEEDED, TaskRunner } from './task-runner.js';

/** In milliseconds. */
const LAST_WRITES = 4000;

/** The `background` list of its plugin names it. */
export interface BackgroundService {
  /** Called once, and only in programs that run until they are stopped. */
  addTasks(scheduler: Scheduler): void;
}

/** Starts tasks in the order of their declaration, and stops them in reverse. Commands do not start it. */
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

  /** Starts the task immediately if the others have started. */
  add(task: BackgroundTask): TaskHandle {
    const { lease } = task;
    const warning = this.warningOf(task.failureMessages);
    if (lease === undefined) return this.run(new TaskRunner(task, warning));
    const runner = new TaskRunner(task, warning, () => lease.isHeld);
    this.runners.push(runner);
    this.leased.get(lease)?.add(runner);
    return runner;
  }

  /** Held while this program runs. @param failureMessages for failed renewals */
  lease(name: string, failureMessages: FailureMessages): Lease {
    const tasks = new LeasedTasks(new Lease(name, this.leases), failureMessages);
    this.leased.set(tasks.lease, tasks);
    this.add(tasks.task);
    return tasks.lease;
  }

  start(): void {
    this.begin('all');
  }

  /** Read-only tasks. */
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

  /** Ignores a task that this program does not have. */
  trigger(name: string): void {
    this.runners.find(({ task }) => task.name === name)?.trigger();
  }

  /** Resolves even after a failure. */
  async runNow(name: string): Promise<void> {
    const runner = this.runners.find(({ task }) => task.name === name);
    if (runner === undefined) throw new Error(`there is no background task ${name}`);
    await runner.runNow();
  }

  /** Aborts all runs, then runs each `shutdown`, the last one first. May be called twice. `grace` is in ms. */
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
    // Tasks need their lease until they end.
    for (const runner of lastFirst)
      if (![...this.leased.values()].some((leased) => leased.task === runner.task)) runner.abort();
    for (const runner of lastFirst)
      if (!(await endsWithin(halfOfTheTimeTo(deadline), runner.stop())))
        this.logger.warn(`The background task ${runner.task.name} does not end, and is left behind.`);
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

/** Leaves time for the next tasks if one hangs. */
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
