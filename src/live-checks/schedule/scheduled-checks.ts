import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HOUR, MINUTE, type TaskHandle } from '../../background/background-task.js';
import type { Lease } from '../../background/lease.js';
import type { BackgroundService, Scheduler } from '../../background/scheduler.js';
import { Clock, SECOND } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { showGauge } from '../../observability/metrics.js';
import { LiveCheckService } from '../live-check.service.js';
import { LiveChecksOptions } from '../live-checks.options.js';
import { CheckSchedule, type TroubledZones } from './check-schedule.js';
import { LiveCheckEvents } from './live-check-events.js';
import { LiveCheckResults } from './live-check-results.js';
import type { DueCheck } from './stored-live-check.repository.js';

const INTERVAL_MS = 1000;
const SWEEP_INTERVAL_MS = 10 * MINUTE;
/** A sweep of a million zones takes minutes with its pauses. */
const SWEEP_REST = 20;
const PAGE_SIZE = 500;
/** Zones that are checked or wait for it, in all and of one tenant: others have their turn among them. */
const MOST_UNDER_WAY = 10_000;
const MOST_OF_TENANT = 64;
/** Reading due zones takes at most this share of the time. */
const MAX_SHARE = 0.05;
/** Of one check, which then ends within its time limit. */
const QUERIES_A_SECOND = 10;
const MOST_CHECKS = 32;
const RETRY_DELAY = 300 * SECOND;
const FAILURE_MESSAGES = {
  failing: 'Scheduled live checks are delayed',
  recovered: 'Scheduled live checks work again.',
};
const ZONES = {
  name: 'zonewright_live_check_zones',
  help: 'Domains whose last live check found errors, or warnings alone.',
};
const BACKLOG = {
  name: 'zonewright_live_check_backlog_seconds',
  help: 'How long the oldest domain that is due for a live check has waited.',
};

/** Checks all zones in turn, in the process that holds the lease (behaviour 27.13). */
@Injectable()
export class ScheduledChecks implements BackgroundService, OnModuleDestroy {
  private readonly turns: FairLimiter;
  private readonly underWay = new Map<string, Promise<void>>();
  private readonly ofTenants = new Map<string, number>();
  private readonly ends: (() => void)[] = [];
  private task: TaskHandle | null = null;
  private troubled: TroubledZones | null = null;
  private backlogSeconds = 0;

  constructor(
    private readonly schedule: CheckSchedule,
    private readonly results: LiveCheckResults,
    private readonly checks: LiveCheckService,
    private readonly events: LiveCheckEvents,
    private readonly options: LiveChecksOptions,
    private readonly clock: Clock,
  ) {
    const inAll = Math.min(Math.floor(options.scheduledQueriesPerSecond / QUERIES_A_SECOND), MOST_CHECKS);
    this.turns = new FairLimiter({ inAll, perKey: Math.ceil(inAll / 2) });
  }

  addTasks(scheduler: Scheduler): void {
    const lease = scheduler.lease('live-checks', FAILURE_MESSAGES);
    const common = { lease, runOnStart: true, failureMessages: FAILURE_MESSAGES };
    const isOn = this.options.interval !== null && this.options.resolver !== null;
    scheduler.add({
      ...common,
      name: 'live_checks.sweep',
      every: (took) => Math.max(isOn ? SWEEP_INTERVAL_MS : HOUR, SWEEP_REST * took),
      run: async (signal) => {
        if (isOn) this.troubled = await this.schedule.scheduleAll(lease, signal);
        await this.schedule.removeDeleted(signal);
      },
    });
    if (!isOn) return;
    this.task = scheduler.add({
      ...common,
      name: 'live_checks.due',
      every: INTERVAL_MS,
      run: (signal) => this.checkDue(lease, signal),
      shutdown: () => this.end(),
    });
    scheduler.add({
      ...common,
      name: 'live_checks.events',
      every: INTERVAL_MS,
      run: (signal) => this.events.tellAll(signal),
    });
    this.ends.push(
      showGauge(ZONES, () => (lease.isHeld ? this.zones() : []), 'max'),
      showGauge(BACKLOG, () => (lease.isHeld ? [{ labels: {}, value: this.backlogSeconds }] : []), 'max'),
    );
  }

  onModuleDestroy(): void {
    for (const end of this.ends.splice(0)) end();
  }

  private async end(): Promise<void> {
    await Promise.allSettled(this.underWay.values());
  }

  private async checkDue(lease: Lease, signal: AbortSignal): Promise<void> {
    const began = performance.now();
    const now = this.clock.now();
    let marker: DueCheck | undefined;
    for (let isFull = true; isFull && !signal.aborted && this.underWay.size < MOST_UNDER_WAY;) {
      const after: DueCheck | undefined = marker;
      const due: DueCheck[] = await this.schedule.due(now, after, PAGE_SIZE);
      if (after === undefined) this.backlogSeconds = (now - (due[0]?.nextAt ?? now)) / SECOND;
      for (const zone of due) this.begin(zone, lease, signal);
      marker = due.at(-1);
      isFull = due.length === PAGE_SIZE;
    }
    this.task?.delayNext((performance.now() - began) / MAX_SHARE);
  }

  private begin(zone: DueCheck, lease: Lease, signal: AbortSignal): void {
    const { zoneId, tenantId } = zone;
    const ofTenant = this.ofTenants.get(tenantId) ?? 0;
    if (this.underWay.has(zoneId) || ofTenant >= MOST_OF_TENANT) return;
    this.ofTenants.set(tenantId, ofTenant + 1);
    const work = this.turns
      .run(async () => {
        if (!signal.aborted) await this.check(zone, lease, signal);
      }, tenantId)
      .finally(() => {
        this.underWay.delete(zoneId);
        this.leave(tenantId);
      });
    this.underWay.set(zoneId, work);
  }

  private leave(tenantId: string): void {
    const others = (this.ofTenants.get(tenantId) ?? 1) - 1;
    if (others === 0) this.ofTenants.delete(tenantId);
    else this.ofTenants.set(tenantId, others);
  }

  /** A failing zone does not stop the others. */
  private async check({ zoneId, tenantId }: DueCheck, lease: Lease, signal: AbortSignal): Promise<void> {
    try {
      const check = await this.checks.checkScheduled(zoneId, tenantId, signal);
      if (!signal.aborted) await this.results.store(zoneId, check, lease);
    } catch (error) {
      const isDeleted = error instanceof ServiceError && error.code === 'zone_not_found';
      if (!signal.aborted && !isDeleted) await this.retryLater(zoneId, error);
    }
  }

  private async retryLater(zoneId: string, error: unknown): Promise<void> {
    this.task?.fail(error);
    await this.schedule
      .putOff(zoneId, this.clock.now() + RETRY_DELAY)
      .catch((trouble: unknown) => this.task?.fail(trouble));
  }

  private zones(): { labels: { severity: string }; value: number }[] {
    const { troubled } = this;
    if (troubled === null) return [];
    return (['error', 'warning'] as const).map((severity) => ({ labels: { severity }, value: troubled[severity] }));
  }
}
