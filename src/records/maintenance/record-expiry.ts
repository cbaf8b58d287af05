import { Injectable } from '@nestjs/common';
import type { BackgroundService, Scheduler } from '../../background/scheduler.js';
import type { TaskHandle } from '../../background/background-task.js';
import { administrator } from '../../common/caller.js';
import { Clock } from '../../common/clock.js';
import { groupedBy } from '../../common/grouped.js';
import { ServiceError } from '../../common/service-error.js';
import { OperationsRefused } from '../changes/operation-list.js';
import { RecordChanges } from '../changes/record-changes.js';
import type { RecordEntity } from '../record.entity.js';
import { type ExpiredRecord, RecordRepository } from '../record.repository.js';
import { RecordsOptions } from '../records.options.js';

/** Milliseconds between two checks. */
const INTERVAL = 1000;
/** Records per check, and so the longest list of operations. */
const PAGE_SIZE = 500;
/** Milliseconds that other zones wait for locked zones. */
const TIME_LIMIT = 1000;

/** Removes expired records through ordinary changes, in every process (behaviour 14.5). */
@Injectable()
export class RecordExpiry implements BackgroundService {
  private task: TaskHandle | null = null;
  /** By zone id. */
  private readonly underWay = new Map<string, Promise<void>>();
  /** Stops when the option is off and the last expiring record has been removed. */
  private isOver = false;

  constructor(
    private readonly records: RecordRepository,
    private readonly changes: RecordChanges,
    private readonly clock: Clock,
    private readonly options: RecordsOptions,
  ) {}

  addTasks(scheduler: Scheduler): void {
    this.task = scheduler.add({
      name: 'records.expiry',
      every: () => (this.isOver ? Infinity : INTERVAL),
      runOnStart: true,
      failureMessages: {
        failing: 'Expired records cannot be removed at the moment',
        recovered: 'Expired records are removed again.',
      },
      run: (signal) => this.removeExpired(signal),
      shutdown: async () => {
        await Promise.all(this.underWay.values());
      },
    });
  }

  private async removeExpired(signal: AbortSignal): Promise<void> {
    const now = this.clock.now();
    for (let last: ExpiredRecord | undefined; !signal.aborted;) {
      const expired = await this.records.expired(now, last ?? null, PAGE_SIZE);
      await settled(this.begin(expired), TIME_LIMIT);
      last = expired.at(-1);
      if (expired.length < PAGE_SIZE) break;
    }
    this.isOver = !this.options.expiringRecords && !(await this.records.hasExpiring());
  }

  /** If a zone is locked, for instance by an import, its next removal waits for the previous one. */
  private begin(expired: readonly ExpiredRecord[]): Promise<void>[] {
    const byZone = [...groupedBy(expired, ({ zoneId }) => zoneId)].filter(([zoneId]) => !this.underWay.has(zoneId));
    return byZone.map(([zoneId, records]) => {
      const ids = records.map(({ id }) => id);
      const removal = this.remove(zoneId, ids)
        .catch((error: unknown) => this.task?.fail(error))
        .finally(() => this.underWay.delete(zoneId));
      this.underWay.set(zoneId, removal);
      return removal;
    });
  }

  private async remove(zoneId: string, ids: readonly string[]): Promise<void> {
    const operations = ids.map((id) => ({ action: 'delete' as const, id, expect: this.assertExpired }));
    try {
      await this.changes.apply(zoneId, administrator('expiry', 'expiry'), operations, { isUnlimited: true });
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'zone_not_found') return;
      if (!(error instanceof OperationsRefused)) throw error;
      const refused = new Set(error.faults.map(({ index }) => index));
      const others = ids.filter((_, index) => !refused.has(index));
      if (others.length > 0) await this.remove(zoneId, others);
    }
  }

  private readonly assertExpired = ({ expiresAt }: RecordEntity): void => {
    if (expiresAt === null || expiresAt > this.clock.now())
      throw new ServiceError('precondition_failed', 'The time of the record is not over.');
  };
}

/** Resolves when all are done, and after `timeLimit` ms at the latest. */
async function settled(removals: readonly Promise<void>[], timeLimit: number): Promise<void> {
  if (removals.length === 0) return;
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeLimit)));
  await Promise.race([Promise.all(removals), enough]);
  clearTimeout(timer);
}
