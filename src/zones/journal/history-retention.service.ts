import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock, DAY, type Instant } from '../../common/clock.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { HistoryRetentionRepository, type OldestRow } from './history-retention.repository.js';
import { ZonesOptions } from '../zones.options.js';

const INTERVAL_MS = 3_600_000;
/** The pause between two portions leaves the database to others. */
const PAUSE_MS = 50;

/** Removes what is too old from the journal, in portions that let others write (behaviour 11.4). */
@Injectable()
export class HistoryRetentionService implements OnModuleDestroy {
  private readonly logger = new Logger('Zonewright');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly history: HistoryRetentionRepository,
    private readonly clock: Clock,
    private readonly options: ZonesOptions,
  ) {}

  /** Goes through the journal now and every hour from now on. */
  start(): void {
    const { historyDays, deletedHistoryDays } = this.options.retention;
    if (historyDays === null && deletedHistoryDays === null) return;
    const begin = (): void => {
      this.running = this.running.then(() => this.logFailure(this.removeOld()));
    };
    this.timer = setInterval(begin, INTERVAL_MS).unref();
    begin();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** @throws ServiceError `unavailable` */
  async removeOld(): Promise<void> {
    for (let zoneId = ''; !this.isStopped;) {
      const oldest = await this.history.oldestOfNextZone(zoneId);
      if (oldest === undefined) return;
      zoneId = oldest.zoneId;
      const before = await this.endOfOld(oldest);
      if (oldest.at < before) await this.removeBefore(zoneId, before);
      // SQLite is read without leaving the event loop, which has others to serve.
      await nextTurn();
    }
  }

  /** The instant before which the zone's rows are to go. */
  private async endOfOld({ zoneId, isDeleted }: OldestRow): Promise<Instant> {
    const { historyDays, deletedHistoryDays } = this.options.retention;
    if (isDeleted && deletedHistoryDays !== null) {
      const deletedAt = await this.history.latestChange(zoneId);
      if (deletedAt < this.daysAgo(deletedHistoryDays)) return Infinity;
    }
    return historyDays === null ? -Infinity : this.daysAgo(historyDays);
  }

  private daysAgo(days: number): Instant {
    return this.clock.now() - days * DAY;
  }

  private async removeBefore(zoneId: string, before: Instant): Promise<void> {
    while (!this.isStopped && (await this.history.removeOldest(zoneId, before))) await delay(PAUSE_MS);
  }

  private async logFailure(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.logger.warn(`old history could not be removed, trying again in an hour: ${String(error)}`);
    }
  }
}
