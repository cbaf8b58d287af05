import { Injectable } from '@nestjs/common';
import type { BackgroundService, Scheduler } from '../../background/scheduler.js';
import type { TaskHandle } from '../../background/background-task.js';
import { Clock, SECOND } from '../../common/clock.js';
import type { ServiceError } from '../../common/service-error.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { Limiter } from '../../common/waiting/limiter.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { Counter } from '../../observability/metrics.js';
import { readGeneration } from '../../zones/zone-snapshot.js';
import { CommitHooks } from '../../zones/changes/zone-change-notifier.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import {
  type InboundTransferEntity,
  type DueTransfer,
  InboundTransferRepository,
} from '../../zones/primaries/inbound-transfer.repository.js';
import { TransferError } from './received-zone.js';
import { isRateLimited, type RefreshTimers, ZoneRefresh } from './zone-refresh.js';

const REFRESHES = new Counter({
  name: 'zonewright_zone_refreshes_total',
  help: 'Refreshes of secondary zones: times that their masters were asked.',
  labels: ['result'],
});

/** Interval between two looks for due zones, in milliseconds. */
const LOOK_INTERVAL = 500;
/** In milliseconds. Every zone change triggers a look, which costs about a quarter of a change. */
const QUIET_PAUSE = 50;
/** Concurrent refreshes, which mostly wait for primaries. */
const SLOTS = 64;
/** Maximum share of time spent looking for due zones, if many zones wait for a slot. */
const SHARE = 0.1;
/** Bounds for SOA timers, in seconds, so that primaries are not overloaded and not forgotten. */
const SHORTEST_PAUSE = 2;
const LONGEST_PAUSE = 2_419_200;
/** Retry interval before the first SOA answer, in seconds. */
const FIRST_RETRY = 10;
const LONGEST_ERROR = 255;
const FAILURE_MESSAGES = {
  failing: 'Transfers from primaries are delayed',
  recovered: 'Transfers from primaries work again.',
};

type Found = 'none' | 'some' | 'some without a slot';

/** Refreshes secondary zones after NOTIFYs, on request and by SOA timers (RFC 1034 §4.3.5). Needs the lease. */
@Injectable()
export class InboundTransfers implements BackgroundService {
  private readonly underWay = new Map<string, Promise<void>>();
  private readonly slots = new Limiter({ inAll: SLOTS, perKey: 'share' });
  private readonly failures = new ThrottledLogger();
  private task: TaskHandle | null = null;
  private stopListening: () => void = () => undefined;

  constructor(
    private readonly transfers: InboundTransferRepository,
    private readonly refresh: ZoneRefresh,
    private readonly zones: ZoneRepository,
    private readonly commits: CommitHooks,
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: Reads,
    private readonly clock: Clock,
  ) {}

  addTasks(scheduler: Scheduler): void {
    this.task = scheduler.add({
      name: 'transfers-in',
      lease: scheduler.lease('transfers-in', FAILURE_MESSAGES),
      every: LOOK_INTERVAL,
      runOnStart: true,
      failureMessages: FAILURE_MESSAGES,
      run: (signal) => this.look(signal),
      shutdown: () => this.end(),
    });
    // New zones, changed primaries and NOTIFYs arrive as commits.
    this.stopListening = this.commits.listen(() => this.task?.trigger());
  }

  private async end(): Promise<void> {
    this.stopListening();
    await Promise.allSettled(this.underWay.values());
  }

  private async look(signal: AbortSignal): Promise<void> {
    const began = performance.now();
    const found = await this.beginDue(signal);
    if (found === 'none') this.task?.delayNext(QUIET_PAUSE);
    // Each look finds skipped zones again until their tenant has a slot.
    if (found === 'some without a slot')
      this.task?.delayNext(Math.min((performance.now() - began) / SHARE, LOOK_INTERVAL));
  }

  private async beginDue(signal: AbortSignal): Promise<Found> {
    let found: Found = 'none';
    for await (const chunk of this.transfers.due(this.clock.now())) {
      if (chunk.length > 0 && found === 'none') found = 'some';
      for (const due of chunk.filter(({ zoneId }) => !this.underWay.has(zoneId)))
        if (!this.begin(due, signal)) found = 'some without a slot';
      if (this.slots.isFull || signal.aborted) break;
      await nextTurn();
    }
    return found;
  }

  /** Returns whether a slot was free. */
  private begin({ tenantId, ...row }: DueTransfer, signal: AbortSignal): boolean {
    const release = tenantId === null ? () => undefined : this.slots.tryTake(tenantId);
    if (release === null) return false;
    const work = (tenantId === null ? this.forget(row) : this.refreshZone(row, signal))
      .catch((error: unknown) => (signal.aborted ? undefined : this.task?.fail(error)))
      .finally(() => {
        release();
        this.underWay.delete(row.zoneId);
        this.task?.trigger();
      });
    this.underWay.set(row.zoneId, work);
    return true;
  }

  /** The zone was deleted meanwhile. */
  private forget({ zoneId }: InboundTransferEntity): Promise<void> {
    return this.unitOfWork.run((tx) => this.transfers.delete(tx, zoneId), { zoneId });
  }

  private async refreshZone(row: InboundTransferEntity, signal: AbortSignal): Promise<void> {
    const zone = await this.reads.run((tx) => this.zones.findIn(tx, row.zoneId));
    if (zone === undefined) return;
    const after = await this.outcomeOf(zone, row, signal);
    // An aborted refresh stays due.
    if (!signal.aborted) await this.settle(row, after);
  }

  private async outcomeOf(
    zone: ZoneEntity,
    row: InboundTransferEntity,
    signal: AbortSignal,
  ): Promise<InboundTransferEntity> {
    try {
      const timers = await this.refresh.run(zone, signal);
      REFRESHES.of('done').add();
      return this.afterSuccess(row, timers);
    } catch (error) {
      if (isRateLimited(error)) return this.afterDelay(row, error);
      REFRESHES.of('failed').add();
      if (!(error instanceof TransferError) && !signal.aborted) this.task?.fail(error);
      const failure = error instanceof TransferError ? error : new TransferError('an internal error', false);
      return this.afterFailure(zone, row, failure);
    }
  }

  private afterSuccess(row: InboundTransferEntity, { refresh, expire }: RefreshTimers): InboundTransferEntity {
    const now = this.clock.now();
    return {
      ...row,
      dueAt: now + bounded(refresh) * SECOND,
      checkedAt: now,
      expiresAt: now + Math.max(bounded(refresh), expire) * SECOND,
      failingSince: null,
      refusedSince: null,
      error: null,
    };
  }

  /** An exceeded rate limit of the tenant does not count as a failure of the zone. */
  private afterDelay(row: InboundTransferEntity, { retryAfter }: ServiceError): InboundTransferEntity {
    return { ...row, dueAt: this.clock.now() + bounded(retryAfter ?? FIRST_RETRY) * SECOND };
  }

  private async afterFailure(
    zone: ZoneEntity,
    row: InboundTransferEntity,
    { message, isRefusal }: TransferError,
  ): Promise<InboundTransferEntity> {
    const now = this.clock.now();
    if (row.failingSince === null) this.failures.warn(`Zone ${zone.name} was not transferred (${message}). Retrying.`);
    const retry = zone.transferredAt === null ? FIRST_RETRY : (readGeneration(zone)?.retry ?? FIRST_RETRY);
    if (zone.transferredAt !== null && row.expiresAt !== null && row.expiresAt <= now) await this.refresh.expire(zone);
    return {
      ...row,
      dueAt: now + bounded(retry) * SECOND,
      failingSince: row.failingSince ?? now,
      refusedSince: isRefusal ? (row.refusedSince ?? now) : row.refusedSince,
      error: message.slice(0, LONGEST_ERROR),
    };
  }

  /** If another refresh was requested meanwhile, the zone stays due. */
  private settle({ zoneId, dueAt }: InboundTransferEntity, after: InboundTransferEntity): Promise<void> {
    const write = async (tx: Transaction): Promise<void> => {
      const row = await this.transfers.findIn(tx, zoneId);
      if (row !== null) await this.transfers.write(tx, row.dueAt === dueAt ? after : { ...after, dueAt: row.dueAt });
    };
    return this.unitOfWork.run(write, { zoneId });
  }
}

function bounded(seconds: number): number {
  return Math.min(Math.max(seconds, SHORTEST_PAUSE), LONGEST_PAUSE);
}
