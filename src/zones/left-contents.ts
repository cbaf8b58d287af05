import { Injectable } from '@nestjs/common';
import { inBatches, MINUTE, type TaskHandle } from '../background/background-task.js';
import type { BackgroundService, Scheduler } from '../background/scheduler.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { LeftContentsRepository } from './left-contents.repository.js';
import { MovedContentsRepository } from './moved-contents.repository.js';
import { ZoneContents } from './zone-contents.js';
import type { ZoneEntity } from './zone.entity.js';

/** Fewer are removed with the zone. */
const MANY_RECORDS = 1000;

/** Of one transaction. */
const PORTION_MS = 20;

/** The pause after a transaction, as a multiple of its time, so that a slow disk keeps room for others. */
const PAUSE = 4;

/** Removes the contents of large zones after their deletion or replacement, so that each transaction is short (storage 18.11). */
@Injectable()
export class LeftContents implements BackgroundService {
  private task: TaskHandle | null = null;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: Reads,
    private readonly zones: LeftContentsRepository,
    private readonly moved: MovedContentsRepository,
    private readonly contents: ZoneContents,
  ) {}

  addTasks(scheduler: Scheduler): void {
    this.task = scheduler.add({
      name: 'zones.left',
      every: MINUTE,
      runOnStart: true,
      failureMessages: {
        failing: 'Cannot remove records of deleted zones',
        recovered: 'Removing records of deleted zones works again.',
      },
      run: (signal) => this.removeAll(signal),
    });
  }

  /** Call it in the transaction that deletes the zone, and `startRemoving` after the commit. */
  async deleteOrLeave(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<void> {
    const contentsId = await this.moved.contentsOf(tx, zone.id);
    await this.moved.forget(tx, zone.id);
    if (isLarge(zone)) await this.zones.leave(tx, contentsId);
    else await this.contents.delete(tx, contentsId, Infinity);
  }

  /** Call it in the transaction that gives the zone these contents, and `startRemoving` after the commit. */
  async replace(tx: Transaction, zoneId: string, contentsId: string): Promise<void> {
    await this.zones.leave(tx, await this.moved.contentsOf(tx, zoneId));
    await this.moved.move(tx, zoneId, contentsId);
  }

  startRemoving(zone: Readonly<ZoneEntity> | null = null): void {
    if (zone === null || isLarge(zone)) this.task?.trigger();
  }

  private async removeAll(signal: AbortSignal): Promise<void> {
    // Most runs find nothing, and take no write lock.
    if (await this.reads.run((tx) => this.zones.isEmpty(tx))) return;
    await inBatches(
      this.unitOfWork,
      (tx) => this.removeSome(tx),
      (took) => PAUSE * took,
    )(signal);
  }

  /** Returns whether there may be more. */
  private async removeSome(tx: Transaction): Promise<boolean> {
    const zoneId = await this.zones.lockNext(tx);
    if (zoneId === undefined) return false;
    if (!(await this.contents.delete(tx, zoneId, PORTION_MS))) await this.zones.forget(tx, zoneId);
    return true;
  }
}

/** A set may have no records. */
function isLarge({ recordCount, recordSetCount }: Readonly<ZoneEntity>): boolean {
  return Math.max(recordCount, recordSetCount) > MANY_RECORDS;
}
