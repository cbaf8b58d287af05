import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { BackgroundService, Scheduler } from '../../background/scheduler.js';
import { HOUR } from '../../background/background-task.js';
import { Clock, DAY, type Instant } from '../../common/clock.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { HistoryRetentionRepository, type RetainedHistory } from './history-retention.repository.js';
import { ZonesOptions } from '../zones.options.js';

/** A pause takes twice the time of the portion, so that others can write. */
const LONGEST_PAUSE_MS = 50;

/** Removes expired journal entries, in portions that let others write (behaviour 11.4). */
@Injectable()
export class HistoryRetentionService implements BackgroundService {
  constructor(
    private readonly history: HistoryRetentionRepository,
    private readonly clock: Clock,
    private readonly options: ZonesOptions,
  ) {}

  addTasks(scheduler: Scheduler): void {
    const { historyDays, deletedHistoryDays } = this.options.retention;
    if (historyDays === null && deletedHistoryDays === null) return;
    scheduler.add({
      name: 'zones.history-retention',
      every: HOUR,
      runOnStart: true,
      failureMessages: {
        failing: 'Cannot remove expired history',
        recovered: 'Removing expired history works again.',
      },
      run: (signal) => this.removeOld(signal),
    });
  }

  async removeOld(signal?: AbortSignal): Promise<void> {
    for (let zoneId: string | undefined = ''; zoneId !== undefined && signal?.aborted !== true;) {
      const kept: readonly RetainedHistory[] = await this.history.ofNextZones(zoneId);
      for (const history of kept) await this.removeOldOf(history, signal);
      zoneId = kept.at(-1)?.zoneId;
      // SQLite reads block the event loop.
      await nextTurn();
    }
  }

  private async removeOldOf(history: RetainedHistory, signal?: AbortSignal): Promise<void> {
    const before = this.endOfOld(history);
    if (history.oldestAt < before) await this.removeBefore(history.zoneId, before, signal);
  }

  private endOfOld({ latestAt, isDeleted }: RetainedHistory): Instant {
    const { historyDays, deletedHistoryDays } = this.options.retention;
    if (isDeleted && deletedHistoryDays !== null && latestAt < this.daysAgo(deletedHistoryDays)) return Infinity;
    return historyDays === null ? -Infinity : this.daysAgo(historyDays);
  }

  private daysAgo(days: number): Instant {
    return this.clock.now() - days * DAY;
  }

  private async removeBefore(zoneId: string, before: Instant, signal?: AbortSignal): Promise<void> {
    for (let mayHaveMore = true; mayHaveMore && signal?.aborted !== true;) {
      const begun = performance.now();
      mayHaveMore = await this.history.removeOldest(zoneId, before);
      await delay(Math.min(LONGEST_PAUSE_MS, 2 * (performance.now() - begun)));
    }
  }
}
