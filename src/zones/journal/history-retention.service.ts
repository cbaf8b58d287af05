import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Scheduler } from '../../background/scheduler.js';
import { HOUR } from '../../background/background-task.js';
import { Clock, DAY, type Instant } from '../../common/clock.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { HistoryRetentionRepository, type RetainedHistory } from './history-retention.repository.js';
import { ZonesOptions } from '../zones.options.js';

/** Between two portions others have the database for twice as long as the portion took, and for so many milliseconds at most. */
const LONGEST_PAUSE_MS = 50;

/** Removes what is too old from the journal, in portions that let others write (behaviour 11.4). */
@Injectable()
export class HistoryRetentionService {
  constructor(
    private readonly history: HistoryRetentionRepository,
    private readonly clock: Clock,
    private readonly options: ZonesOptions,
    private readonly background: Scheduler,
  ) {}

  /** Goes through the journal now and every hour from now on. */
  start(): void {
    const { historyDays, deletedHistoryDays } = this.options.retention;
    if (historyDays === null && deletedHistoryDays === null) return;
    this.background.add({
      name: 'zones.history-retention',
      every: HOUR,
      runOnStart: true,
      failureMessages: {
        failing: 'Old history cannot be removed at the moment',
        recovered: 'Old history is removed again.',
      },
      run: (signal) => this.removeOld(signal),
    });
  }

  /** @throws ServiceError `unavailable` */
  async removeOld(signal?: AbortSignal): Promise<void> {
    for (let zoneId: string | undefined = ''; zoneId !== undefined && signal?.aborted !== true;) {
      const kept: readonly RetainedHistory[] = await this.history.ofNextZones(zoneId);
      for (const history of kept) await this.removeOldOf(history, signal);
      zoneId = kept.at(-1)?.zoneId;
      // SQLite is read without leaving the event loop, which has others to serve.
      await nextTurn();
    }
  }

  private async removeOldOf(history: RetainedHistory, signal?: AbortSignal): Promise<void> {
    const before = this.endOfOld(history);
    if (history.oldestAt < before) await this.removeBefore(history.zoneId, before, signal);
  }

  /** The instant before which the zone's rows are to go. */
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
