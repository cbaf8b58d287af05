import { Injectable } from '@nestjs/common';
import { Scheduler } from '../../background/scheduler.js';
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

/** How often it is looked whose time is over, in milliseconds. */
const INTERVAL = 1000;
/** Records that are looked for at once, and so the longest list of operations. */
const PAGE_SIZE = 500;
/** How long other domains wait for those that somebody else holds, in milliseconds. */
const TIME_LIMIT = 1000;

/**
 * Removes records whose time is over, as changes like any other (behaviour 14.5). Every process does: who comes second finds
 * in the change itself that there is nothing left to remove.
 */
@Injectable()
export class RecordExpiry {
  private readonly task: TaskHandle;
  /** By zone. */
  private readonly underWay = new Map<string, Promise<void>>();
  /** Where nobody can make more of them, there is nothing to look for once they are gone. */
  private isOver = false;

  constructor(
    private readonly records: RecordRepository,
    private readonly changes: RecordChanges,
    private readonly clock: Clock,
    private readonly options: RecordsOptions,
    background: Scheduler,
  ) {
    this.task = background.add({
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

  /** In a zone that waits, for an import for instance, the next removal begins when the one before is done. */
  private begin(expired: readonly ExpiredRecord[]): Promise<void>[] {
    const byZone = [...groupedBy(expired, ({ zoneId }) => zoneId)].filter(([zoneId]) => !this.underWay.has(zoneId));
    return byZone.map(([zoneId, records]) => {
      const ids = records.map(({ id }) => id);
      const removal = this.remove(zoneId, ids)
        .catch((error: unknown) => this.task.fail(error))
        .finally(() => this.underWay.delete(zoneId));
      this.underWay.set(zoneId, removal);
      return removal;
    });
  }

  /** What is no longer there, or has been given more time, is left out, and the others go all the same. */
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

/** Resolves when all of them have, and after `timeLimit` milliseconds at the latest. */
async function settled(removals: readonly Promise<void>[], timeLimit: number): Promise<void> {
  if (removals.length === 0) return;
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeLimit)));
  await Promise.race([Promise.all(removals), enough]);
  clearTimeout(timer);
}
