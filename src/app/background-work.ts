import type { Scheduler } from '../background/scheduler.js';
import { type BackgroundTask, inBatches } from '../background/background-task.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Services } from '../plugins/command.js';
import type { BackgroundParts, ListeningOn, RetentionRule } from '../plugins/feature.js';

/** Commands never start background work. */
export class BackgroundWork {
  constructor(
    private readonly scheduler: Scheduler,
    private readonly services: Services,
    private readonly parts: Required<BackgroundParts>,
  ) {}

  /** @param mode `read-only` for a standby */
  start(mode: 'all' | 'read-only' = 'all'): void {
    this.addServices(undefined);
    for (const rule of this.parts.retention) this.scheduler.add(retentionTask(rule, this.services));
    if (mode === 'all') this.scheduler.start();
    else this.scheduler.startReading();
  }

  startListening(on: ListeningOn): void {
    this.addServices(on);
  }

  private addServices(after: ListeningOn | undefined): void {
    for (const entry of this.parts.background)
      if (entry.after === after) this.services.get(entry.service).addTasks(this.scheduler);
  }
}

function retentionTask(rule: RetentionRule, services: Services): BackgroundTask {
  const { name, subject, every } = rule;
  return {
    name,
    every,
    failureMessages: { failing: `Cannot remove ${subject}`, recovered: `Removing ${subject} works again.` },
    run: inBatches(services.get(UnitOfWork), (tx) => rule.remove(services, tx)),
  };
}
