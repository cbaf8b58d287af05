import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Scheduler } from '../../background/scheduler.js';
import { MINUTE, type TaskHandle } from '../../background/background-task.js';
import { HeartbeatMonitor } from '../../background/heartbeat.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { JournalRepository } from '../journal/journal.repository.js';
import { ZoneContents } from '../zone-contents.js';
import { StagedImportRepository } from './staged-import.repository.js';

/** Whoever writes may wait for another process's change of seconds before the next portion. */
const HEARTBEAT_TIMEOUT = MINUTE;
/** Rows that go in one transaction: some tens of milliseconds. */
const PORTION = 1000;
/** The pause between two portions leaves the database to others. */
const PAUSE_MS = 20;

/** Removes what has come of zones that never were: the process ended, or the last step was refused. */
@Injectable()
export class StagedImportsCleanup {
  private readonly watch = new HeartbeatMonitor('', HEARTBEAT_TIMEOUT);
  private readonly task: TaskHandle;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: Reads,
    private readonly zones: StagedImportRepository,
    private readonly contents: ZoneContents,
    private readonly journal: JournalRepository,
    background: Scheduler,
  ) {
    this.task = background.add({
      name: 'zones.incoming',
      every: MINUTE,
      runOnStart: true,
      failureMessages: {
        failing: 'What is left of imports that have ended cannot be removed at the moment',
        recovered: 'What is left of imports that have ended is removed again.',
      },
      run: (signal) => this.removeLeft(signal),
    });
  }

  /** What has come so far goes, by and by; nothing happens to a zone that is there. */
  async giveUp(zoneId: string): Promise<void> {
    // Where the database refuses that too, the holder is found dead later.
    const isLeft = await this.unitOfWork.run((tx) => this.zones.giveUp(tx, zoneId)).catch(() => false);
    if (isLeft) this.task.trigger();
  }

  private async removeLeft(signal: AbortSignal): Promise<void> {
    const found = await this.reads.run((tx) => this.zones.all(tx));
    const dead = this.watch.deadAmong(
      found.map(({ holder, renewals }) => ({ key: holder, renewals })),
      performance.now(),
    );
    for (const { zoneId, holder } of found) {
      if (holder !== '' && !dead.has(holder)) continue;
      if (!(await this.unitOfWork.run((tx) => this.zones.giveUp(tx, zoneId)))) continue;
      await this.removeAll(zoneId, signal);
    }
  }

  private async removeAll(zoneId: string, signal: AbortSignal): Promise<void> {
    const remove = (tx: Transaction): Promise<boolean> => this.removeSome(tx, zoneId);
    while (!signal.aborted && (await this.unitOfWork.run(remove, { queue: 'cleanups' }))) await delay(PAUSE_MS);
  }

  /** Returns whether there may be more. */
  private async removeSome(tx: Transaction, zoneId: string): Promise<boolean> {
    if (await this.contents.deleteSome(tx, zoneId, PORTION)) return true;
    if (await this.journal.deleteSome(tx, zoneId, PORTION)) return true;
    await this.zones.forget(tx, zoneId);
    return false;
  }
}
