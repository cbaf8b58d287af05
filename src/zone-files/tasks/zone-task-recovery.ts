import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { BackgroundService, Scheduler } from '../../background/scheduler.js';
import { MINUTE, type TaskHandle } from '../../background/background-task.js';
import { Heartbeats } from '../../background/heartbeat.js';
import { INTERRUPTED, ZoneImportTasksService } from './zone-import-tasks.service.js';
import { ZoneFilesOptions } from '../zone-files.options.js';
import { ZoneTasksService } from './zone-tasks.service.js';

const EVERY_MS = 2000;
/** Time without a heartbeat after which a task is abandoned. */
const TIME_LIMIT_MS = 10_000;
const FAILURE_MESSAGES = {
  failing: 'Background imports and exports are paused',
  recovered: 'Background imports and exports run again.',
};

/**
 * Ends abandoned tasks, and deletes tasks after a day. The process that runs a task sends heartbeats; other processes
 * time them by their own clocks.
 */
@Injectable()
export class ZoneTaskUpkeep implements BackgroundService, OnApplicationBootstrap {
  private readonly pulses = new Heartbeats();
  private task: TaskHandle | null = null;

  constructor(
    private readonly tasks: ZoneTasksService,
    private readonly imports: ZoneImportTasksService,
    private readonly options: ZoneFilesOptions,
  ) {}

  addTasks(scheduler: Scheduler): void {
    scheduler.add({
      name: 'zone-files.old-tasks',
      every: MINUTE,
      runOnStart: true,
      failureMessages: FAILURE_MESSAGES,
      run: (signal) => this.removeOld(signal),
    });
    this.task = scheduler.add({
      name: 'zone-files.tasks',
      every: EVERY_MS,
      failureMessages: FAILURE_MESSAGES,
      run: () => this.lookAfterTasks(),
      shutdown: () => this.imports.stop(),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    // No other process uses the database, so the processes of pending tasks have ended.
    if (this.options.isAlone) await this.endAbandoned(0).catch((error: unknown) => this.task?.fail(error));
  }

  private async lookAfterTasks(): Promise<void> {
    await this.tasks.renew(this.imports.underWay);
    await this.endAbandoned(TIME_LIMIT_MS);
  }

  private async endAbandoned(timeLimit: number): Promise<void> {
    const now = performance.now();
    const own = new Set(this.imports.underWay);
    const others = (await this.tasks.pending()).filter(({ id }) => !own.has(id));
    const holders = others.map(({ id, renewals }) => ({ key: id, renewals }));
    const stillFor = this.pulses.look(holders, now);
    for (const task of others)
      if ((stillFor.get(task.id) ?? 0) >= timeLimit) await this.tasks.failUnlessRenewed(task, INTERRUPTED);
  }

  private async removeOld(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.tasks.removeSome()));
  }
}
