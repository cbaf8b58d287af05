import type { BackgroundTask, Trouble } from './background-task.js';
import type { Lease } from './lease.js';
import { BEAT_INTERVAL } from './life.js';
import type { TaskRunner } from './task-runner.js';

/** Holds one lease, and lets the tasks that need it run as long as this process has it. */
export class LeasedTasks {
  private readonly runners: TaskRunner[] = [];
  readonly task: BackgroundTask;

  /** @param trouble what fails where the lease cannot be renewed */
  constructor(
    readonly lease: Lease,
    trouble: Trouble,
  ) {
    this.task = {
      name: `lease.${lease.name}`,
      every: BEAT_INTERVAL,
      atStart: true,
      trouble,
      run: () => this.keep(),
      end: () => lease.release(),
    };
  }

  add(runner: TaskRunner): void {
    this.runners.push(runner);
    if (this.lease.isHeld) runner.begin();
  }

  private async keep(): Promise<void> {
    try {
      await this.lease.attempt();
    } finally {
      for (const runner of this.runners)
        if (this.lease.isHeld) runner.begin();
        else runner.cease();
    }
  }
}
