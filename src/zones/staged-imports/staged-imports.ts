import { Injectable } from '@nestjs/common';
import { forgetOwnerId, newOwnerId, HeartbeatMonitor } from '../../background/heartbeat.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { type StagedChangeEntity, StagedChangeRepository } from './staged-change.repository.js';
import { StagedImportRepository } from './staged-import.repository.js';
import type { WritePart } from '../../database/statements/staging.js';
import type { ZoneChange } from '../changes/zone-change.js';
import type { BackgroundService, Scheduler } from '../../background/scheduler.js';
import { inBatches, MINUTE, type TaskHandle } from '../../background/background-task.js';
import { Reads } from '../../database/reads.js';
import { JournalRepository } from '../journal/journal.repository.js';
import { ZoneContents } from '../zone-contents.js';

export interface StagedImport {
  /** Runs a part of the writing in its own transaction on `on`. */
  write<T>(on: Transaction, part: () => Promise<T>): Promise<T>;
  /** Call it in the transaction that creates or changes the zone: its commit makes the contents visible. */
  arrive(tx: Transaction): Promise<void>;
}

/** The holder may wait some seconds for another process before the next portion. */
const HEARTBEAT_TIMEOUT = MINUTE;

/** Of one transaction, in milliseconds and in rows. */
const PORTION_MS = 20;
const PORTION = 1000;

const PAUSE_MS = 20;

/** Removes rows of interrupted imports: the process ended, or the zone was rejected. */
@Injectable()
export class StagedImportsCleanup implements BackgroundService {
  private readonly watch = new HeartbeatMonitor('', HEARTBEAT_TIMEOUT);
  private task: TaskHandle | null = null;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: Reads,
    private readonly zones: StagedImportRepository,
    private readonly changes: StagedChangeRepository,
    private readonly contents: ZoneContents,
    private readonly journal: JournalRepository,
  ) {}

  addTasks(scheduler: Scheduler): void {
    this.task = scheduler.add({
      name: 'zones.incoming',
      every: MINUTE,
      runOnStart: true,
      failureMessages: {
        failing: 'Cannot remove rows of interrupted imports',
        recovered: 'Removing rows of interrupted imports works again.',
      },
      run: (signal) => this.removeLeft(signal),
    });
  }

  /** Does nothing to an existing zone. */
  async giveUp(zoneId: string): Promise<void> {
    // If the database rejects this too, the missing heartbeat ends the import later.
    const isLeft = await this.unitOfWork.run((tx) => this.zones.giveUp(tx, zoneId)).catch(() => false);
    if (isLeft) this.task?.trigger();
  }

  private async removeLeft(signal: AbortSignal): Promise<void> {
    const found = await this.reads.run((tx) => this.zones.all(tx));
    const holders = found.map(({ holder, renewals }) => ({ key: holder, renewals }));
    const dead = this.watch.deadAmong(holders, performance.now());
    for (const { zoneId, holder } of found) {
      if (holder !== '' && !dead.has(holder)) continue;
      await inBatches(
        this.unitOfWork,
        (tx) => this.removeSome(tx, zoneId),
        () => PAUSE_MS,
      )(signal);
    }
  }

  private async removeSome(tx: Transaction, zoneId: string): Promise<boolean> {
    // Locks the row: another process would take rows that are being deleted here for the end.
    if (!(await this.zones.giveUp(tx, zoneId))) return false;
    if (await this.contents.delete(tx, zoneId, PORTION_MS)) return true;
    const change = await this.changes.find(tx, zoneId);
    const hasMore =
      change === undefined
        ? await this.journal.deleteSome(tx, zoneId, PORTION)
        : await this.journal.deleteStaged(tx, change, PORTION);
    if (hasMore) return true;
    await this.changes.forget(tx, zoneId);
    await this.zones.forget(tx, zoneId);
    return false;
  }
}

/** Writes the contents of large zones before the zones or their changes, so that each transaction is short. */
@Injectable()
export class StagedImports {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly zones: StagedImportRepository,
    private readonly changes: StagedChangeRepository,
    private readonly cleanup: StagedImportsCleanup,
  ) {}

  /** Removes the contents if `bring` fails. Throws `StaleSnapshotError` after a missed heartbeat. */
  withStagedImport<T>(zoneId: string, bring: (incoming: StagedImport) => Promise<T>): Promise<T> {
    return this.during(zoneId, bring);
  }

  /** As `withStagedImport`, for new contents of a zone. @throws StagingConflict */
  withStagedChange<T>(change: StagedChangeEntity, bring: (incoming: StagedImport) => Promise<T>): Promise<T> {
    return this.during(change.contentsId, bring, async (tx) => {
      if (!(await this.changes.announce(tx, change))) throw new StagingConflict();
    });
  }

  private async during<T>(
    contentsId: string,
    bring: (incoming: StagedImport) => Promise<T>,
    begin?: (tx: Transaction) => Promise<void>,
  ): Promise<T> {
    const holder = newOwnerId();
    try {
      await this.unitOfWork.run(async (tx) => {
        await begin?.(tx);
        await this.zones.announce(tx, contentsId, holder);
      });
      return await bring(this.incoming(contentsId, holder));
    } catch (error) {
      await this.cleanup.giveUp(contentsId);
      throw error;
    } finally {
      forgetOwnerId(holder);
    }
  }

  private incoming(zoneId: string, holder: string): StagedImport {
    const held = async (isHeld: Promise<boolean>): Promise<void> => {
      if (!(await isHeld)) throw new StaleSnapshotError();
    };
    return {
      write: (on, part) =>
        this.unitOfWork.run(
          async (tx) => {
            await held(this.zones.renew(tx, zoneId, holder));
            return part();
          },
          { isLong: true, on },
        ),
      arrive: async (tx) => {
        await held(this.zones.arrive(tx, zoneId, holder));
        await this.changes.forget(tx, zoneId);
      },
    };
  }
}

export interface StagedContents {
  readonly transaction: Transaction;
  /** The prepared change, of the zone as it was then. */
  readonly change: ZoneChange;
  /** Rows that the change writes and deletes. */
  readonly size: number;

  /**
   * `change` creates the zone, or gives it new contents; `write` runs on `transaction`.
   * @param contents the ids of the present contents, whose other rows are copied, and of the new contents
   */
  bringInAhead(change: ZoneChange, write: WritePart, contents?: ReplacedContents): Promise<void>;
}

export interface ReplacedContents {
  readonly from: string;
  readonly to: string;
}

/** Another change of the zone is being written ahead. */
export class StagingConflict extends Error {}

/** The zone has changed since the change was prepared. */
export class StaleSnapshotError extends Error {}
