import { Injectable } from '@nestjs/common';
import { Scheduler } from '../../background/scheduler.js';
import type { TaskHandle } from '../../background/background-task.js';
import { Clock, SECOND } from '../../common/clock.js';
import type { ServiceError } from '../../common/service-error.js';
import { Limiter } from '../../common/waiting/limiter.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { Counter } from '../../observability/counter.js';
import { readGeneration } from '../../zones/zone-snapshot.js';
import { CommitHooks } from '../../zones/changes/commit-hooks.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import type { InboundTransferEntity } from '../../zones/primaries/inbound-transfer.entity.js';
import { type DueTransfer, InboundTransferRepository } from '../../zones/primaries/inbound-transfer.repository.js';
import { TransferError } from './transfer-error.js';
import { TransferredZones } from './transferred-zones.js';
import { isRateLimited, type RefreshTimers, ZoneRefresh } from './zone-refresh.js';

const REFRESHES = new Counter({
  name: 'zonewright_zone_refreshes_total',
  help: 'Refreshes of secondary zones: times that their masters were asked.',
  labels: ['result'],
});

/** So often the database is looked at for zones that are due, in milliseconds. */
const LOOK_INTERVAL = 500;
/**
 * After a look that has found none, in milliseconds. Every change of any zone asks for a look, and each costs as much as a
 * quarter of a change.
 */
const QUIET_PAUSE = 50;
/** So many zones are refreshed at a time: most of that is waiting for masters. */
const SLOTS = 64;
/** Zones that are due are looked for no more than for this share of the time, however many have to wait for a slot. */
const SHARE = 0.1;
/** Bounds for what an SOA says, in seconds: masters are not asked all the time, and not forgotten. */
const SHORTEST_PAUSE = 2;
const LONGEST_PAUSE = 2_419_200;
/** Where no SOA has said anything yet, in seconds. */
const FIRST_RETRY = 10;
const LONGEST_ERROR = 255;
const FAILURE_MESSAGES = {
  failing: 'Transfers from masters are delayed',
  recovered: 'Transfers from masters work again.',
};

/** Which zones a look has found to be due. */
type Found = 'none' | 'some' | 'some without a slot';

/**
 * Keeps secondary zones what their masters have: as soon as a NOTIFY or somebody asks for it, and by the timers of their SOA
 * (RFC 1034 §4.3.5). One process does it, which has the lease.
 */
@Injectable()
export class InboundTransfers {
  private readonly underWay = new Map<string, Promise<void>>();
  private readonly slots = new Limiter({ inAll: SLOTS, perKey: 'share' });
  private task: TaskHandle | null = null;
  private stopListening: () => void = () => undefined;

  constructor(
    private readonly transfers: InboundTransferRepository,
    private readonly refresh: ZoneRefresh,
    private readonly transferred: TransferredZones,
    private readonly zones: ZoneRepository,
    private readonly commits: CommitHooks,
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: Reads,
    private readonly clock: Clock,
    private readonly background: Scheduler,
  ) {}

  start(): void {
    this.task = this.background.add({
      name: 'transfers-in',
      lease: this.background.lease('transfers-in', FAILURE_MESSAGES),
      every: LOOK_INTERVAL,
      runOnStart: true,
      failureMessages: FAILURE_MESSAGES,
      run: (signal) => this.look(signal),
      shutdown: () => this.end(),
    });
    // Whoever makes a zone, gives it other masters or is notified tells of it.
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
    // Those that were passed over are met again by each look until their tenant has a slot.
    if (found === 'some without a slot')
      this.task?.delayNext(Math.min((performance.now() - began) / SHARE, LOOK_INTERVAL));
  }

  /** Begins with those that are due and have a slot. Returns which were found. */
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

  /** Returns whether there was a slot for it. */
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

  /** Its zone was deleted while masters were to be asked for it. */
  private forget({ zoneId }: InboundTransferEntity): Promise<void> {
    return this.unitOfWork.run((tx) => this.transfers.delete(tx, zoneId), { zoneId });
  }

  private async refreshZone(row: InboundTransferEntity, signal: AbortSignal): Promise<void> {
    const zone = await this.reads.run((tx) => this.zones.findIn(tx, row.zoneId));
    if (zone === undefined) return;
    const after = await this.outcomeOf(zone, row, signal);
    // What was broken off is still due.
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

  /** That the tenant's masters have sent too much for now is no fault of the zone. */
  private afterDelay(row: InboundTransferEntity, { retryAfter }: ServiceError): InboundTransferEntity {
    return { ...row, dueAt: this.clock.now() + bounded(retryAfter ?? FIRST_RETRY) * SECOND };
  }

  private async afterFailure(
    zone: ZoneEntity,
    row: InboundTransferEntity,
    { message, isRefusal }: TransferError,
  ): Promise<InboundTransferEntity> {
    const now = this.clock.now();
    const retry = zone.transferredAt === null ? FIRST_RETRY : (readGeneration(zone)?.retry ?? FIRST_RETRY);
    if (zone.transferredAt !== null && row.expiresAt !== null && row.expiresAt <= now)
      await this.transferred.expire(zone);
    return {
      ...row,
      dueAt: now + bounded(retry) * SECOND,
      failingSince: row.failingSince ?? now,
      refusedSince: isRefusal ? (row.refusedSince ?? now) : row.refusedSince,
      error: message.slice(0, LONGEST_ERROR),
    };
  }

  /** Writes what has become of it; where the zone was asked for meanwhile, it is due again. */
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
