import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Lease } from '../../background/lease.js';
import { Clock, type Instant, SECOND } from '../../common/clock.js';
import { Reads } from '../../database/reads.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { LiveChecksOptions } from '../live-checks.options.js';
import { type DueCheck, type ScheduledZone, SCOPE, StoredLiveCheckRepository } from './stored-live-check.repository.js';

const PAGE_SIZE = 500;
/** The database stays free for this multiple of the time that a page took. */
const PAUSE = 19;

/** Zones by the worst severity of their last result. */
export interface TroubledZones {
  readonly error: number;
  /** Without errors. */
  readonly warning: number;
}

/** Keeps one row for each zone: new zones get a time for their first check, and deleted ones lose theirs (behaviour 27.13). */
@Injectable()
export class CheckSchedule {
  constructor(
    private readonly stored: StoredLiveCheckRepository,
    private readonly options: LiveChecksOptions,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** `null` if the signal was aborted before all zones were counted. */
  async scheduleAll(lease: Lease, signal: AbortSignal): Promise<TroubledZones | null> {
    const troubled = { error: 0, warning: 0 };
    const isWhole = await this.walk(
      (after) => this.reads.run((tx) => this.stored.zones(tx, after, PAGE_SIZE)),
      async (page) => {
        for (const { errors, warnings } of page)
          if ((errors ?? 0) > 0) troubled.error += 1;
          else if ((warnings ?? 0) > 0) troubled.warning += 1;
        await this.schedule(page, lease);
      },
      signal,
    );
    return isWhole ? troubled : null;
  }

  async removeDeleted(signal: AbortSignal): Promise<void> {
    await this.walk(
      (after) => this.reads.run((tx) => this.stored.rows(tx, after, PAGE_SIZE)),
      async (page) => {
        const lost = page.filter(({ isLost }) => isLost === 1).map(({ zoneId }) => zoneId);
        if (lost.length > 0) await this.unitOfWork.run((tx) => this.stored.delete(tx, lost), SCOPE);
      },
      signal,
    );
  }

  due(now: Instant, after: DueCheck | undefined, limit: number): Promise<DueCheck[]> {
    return this.reads.run((tx) => this.stored.due(tx, now, after, limit));
  }

  putOff(zoneId: string, nextAt: Instant): Promise<void> {
    return this.unitOfWork.run((tx) => this.stored.schedule(tx, [{ zoneId, nextAt }]), SCOPE);
  }

  /** Zones without a time, and those whose time is from a longer interval. */
  private async schedule(page: readonly ScheduledZone[], lease: Lease): Promise<void> {
    const interval = (this.options.interval ?? 0) * SECOND;
    const now = this.clock.now();
    const unscheduled = page.filter(({ nextAt }) => nextAt === null || nextAt > now + interval);
    if (unscheduled.length === 0) return;
    const rows = unscheduled.map(({ zoneId }) => ({ zoneId, nextAt: now + spreadOver(interval, zoneId) }));
    await this.unitOfWork.run(async (tx) => {
      if (await lease.isHeldIn(tx)) await this.stored.schedule(tx, rows);
    }, SCOPE);
  }

  /** Returns whether all rows were read. */
  private async walk<Row extends { readonly zoneId: string }>(
    read: (after: string) => Promise<Row[]>,
    handle: (page: readonly Row[]) => Promise<void>,
    signal: AbortSignal,
  ): Promise<boolean> {
    for (let after = ''; !signal.aborted;) {
      const began = performance.now();
      const page = await read(after);
      await handle(page);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_SIZE) return true;
      after = last.zoneId;
      await delay(PAUSE * (performance.now() - began), undefined, { signal }).catch(() => undefined);
    }
    return false;
  }
}

/** A part of the interval that depends on the zone alone. */
function spreadOver(interval: Instant, zoneId: string): Instant {
  const hash = createHash('sha256').update(zoneId).digest().readUInt32BE();
  return Math.floor((interval * hash) / 2 ** 32);
}
