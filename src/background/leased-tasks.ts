import type { BackgroundTask, FailureMessages } from './background-task.js';
import type { Lease } from './lease.js';
import { HEARTBEAT_INTERVAL } from './heartbeat.js';
import type { TaskRunner } from './task-runner.js';

/** Holds one lease, and lets the tasks that need it run as long as this process has it. */
export class LeasedTasks {
  private readonly runners: TaskRunner[] = [];
  readonly task: BackgroundTask;

  /** @param failureMessages what fails where the lease cannot be renewed */
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
