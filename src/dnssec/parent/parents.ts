import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { BackgroundService, Scheduler } from '../../background/scheduler.js';
import type { TaskHandle } from '../../background/background-task.js';
import { Clock } from '../../common/clock.js';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { DomainName } from '../../dns/name.js';
import { wireOfKey } from '../../dns/name-key.js';
import { showGauge } from '../../observability/metrics.js';
import { SigningContext } from '../signing-context.js';
import { WrongClock } from '../signing/signing-clock.js';
import { SigningJobs } from '../signing/signing-jobs.js';
import type { DueZone, SignedZoneOf } from '../state/zone-signing.repository.js';
import { HostedParents } from './hosted-parents.js';
import { HostedZones } from './hosted-zones.js';
import { ParentPoller } from './parent-poller.js';
import { SignalZones } from './signal-zones.js';
import type { ZoneParentEntity } from './zone-parent.entity.js';

const POLL_INTERVAL_MS = 1000;
const FIGURES_INTERVAL_MS = 15_000;
/** Concurrent polls, which mostly wait for foreign servers. */
const TURNS = { inAll: 32, perKey: 4 };
/** The minimum time that a poll occupies a slot of its tenant: limits the query rate of a tenant with many zones. */
const MIN_TURN_MS = 250;
const PAGE_SIZE = 500;
/** Reading due zones takes at most this share of the time. */
const MAX_SHARE = 0.1;
/** In microseconds. */
const RETRY_DELAY = 60_000_000;
const STALE_BATCH = 100;
const FAILURE_MESSAGES = { failing: 'Cannot poll parent zones', recovered: 'Parent zones are polled again.' };
const MISMATCHES = {
  name: 'zonewright_dnssec_ds_mismatch',
  help: 'Signed zones whose parents have DS of other keys alone: nobody can validate them.',
};

/** Deletes the DS and the signals of deleted and unsigned zones from other zones of this service. */
@Injectable()
export class StaleParents {
  constructor(
    private readonly context: SigningContext,
    private readonly zones: HostedZones,
    private readonly hosted: HostedParents,
    private readonly signals: SignalZones,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    const { parents } = this.context;
    for (let isFull = true; isFull && !signal.aborted;) {
      const stale = await this.context.read((tx) => parents.left(tx, STALE_BATCH));
      for (const row of stale) await this.remove(row);
      isFull = stale.length === STALE_BATCH;
    }
  }

  private async remove({ zoneId, nameKey }: ZoneParentEntity): Promise<void> {
    const name = DomainName.read(wireOfKey(nameKey));
    const successor = await this.zones.lowestOf([nameKey]);
    const keys = await this.context.read((tx) => this.context.keys.ofZone(tx, zoneId));
    // Another signer may serve the zone still.
    const own = keys.filter(({ signer }) => signer === null);
    // A signed zone with the same name has the same keys and maintains its own signals.
    if ((successor?.publishedSerial ?? null) === null) {
      await this.hosted.remove(nameKey, name, own);
      await this.signals.remove(name);
    }
    await this.context.unitOfWork.run((tx) => this.context.parents.delete(tx, zoneId), { zoneId });
  }
}

/** Polls the parents of signed zones in the process that holds the lease; tenants take turns. */
@Injectable()
export class Parents implements BackgroundService, OnModuleDestroy {
  private readonly turns = new FairLimiter(TURNS);
  private readonly polling = new Map<string, Promise<void>>();
  private task: TaskHandle | null = null;
  private mismatches: number | null = null;
  private readonly endGauge = showGauge(
    MISMATCHES,
    () => (this.mismatches === null ? [] : [{ labels: {}, value: this.mismatches }]),
    'max',
  );

  constructor(
    private readonly poller: ParentPoller,
    private readonly stale: StaleParents,
    private readonly context: SigningContext,
    private readonly jobs: SigningJobs,
    private readonly clock: Clock,
  ) {}

  addTasks(scheduler: Scheduler): void {
    if (!this.jobs.isPossible) return;
    const lease = scheduler.lease('parents', FAILURE_MESSAGES);
    this.task = scheduler.add({
      name: 'dnssec.parents',
      lease,
      every: POLL_INTERVAL_MS,
      runOnStart: true,
      failureMessages: FAILURE_MESSAGES,
      run: (signal) => this.pollDue(signal),
      shutdown: () => this.end(),
    });
    scheduler.add({
      name: 'dnssec.parent_figures',
      lease,
      every: FIGURES_INTERVAL_MS,
      runOnStart: true,
      run: async () => {
        this.mismatches = await this.context.read((tx) => this.context.parents.mismatches(tx));
      },
    });
  }

  onModuleDestroy(): void {
    this.endGauge();
  }

  async end(): Promise<void> {
    await Promise.allSettled(this.polling.values());
  }

  private async pollDue(signal: AbortSignal): Promise<void> {
    const began = performance.now();
    await this.stale.run(signal);
    const now = this.clock.now();
    let marker: DueZone | undefined;
    for (let isFull = true; isFull && !signal.aborted;) {
      const after: DueZone | undefined = marker;
      const due: DueZone[] = await this.context.read((tx) => this.context.signing.parentDue(tx, now, after, PAGE_SIZE));
      for (const zone of due) this.begin(zone, signal);
      marker = due.at(-1);
      isFull = due.length === PAGE_SIZE;
    }
    this.task?.delayNext((performance.now() - began) / MAX_SHARE);
  }

  private begin(zone: SignedZoneOf, signal: AbortSignal): void {
    if (this.polling.has(zone.zoneId)) return;
    const work = this.turns
      .run(() => this.poll(zone.zoneId, signal), zone.tenantId)
      .finally(() => this.polling.delete(zone.zoneId));
    this.polling.set(zone.zoneId, work);
  }

  /** A failing zone does not stop the others. */
  private async poll(zoneId: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const pause = delay(MIN_TURN_MS, undefined, { signal }).catch(() => undefined);
    await this.poller
      .poll(zoneId)
      .catch((error: unknown) => (signal.aborted ? undefined : this.retryLater(zoneId, error)));
    await pause;
  }

  private async retryLater(zoneId: string, error: unknown): Promise<void> {
    this.task?.fail(error);
    // A wrong clock cannot tell when the retry is due.
    if (error instanceof WrongClock) return;
    const later = this.clock.now() + RETRY_DELAY;
    await this.context.unitOfWork
      .run((tx) => this.context.signing.lookAtParent(tx, zoneId, later), { zoneId })
      .catch((trouble: unknown) => this.task?.fail(trouble));
  }
}
