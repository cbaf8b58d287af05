import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Scheduler } from '../../background/scheduler.js';
import type { TaskHandle } from '../../background/background-task.js';
import { Clock } from '../../common/clock.js';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { Reads } from '../../database/reads.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { showGauge } from '../../observability/gauge.js';
import { WrongClock } from '../signing/signing-clock.js';
import { SigningJobs } from '../signing/signing-jobs.js';
import { type DueZone, type SignedZoneOf, ZoneSigningRepository } from '../state/zone-signing.repository.js';
import { StaleParents } from './stale-parents.js';
import { ParentPoller } from './parent-poller.js';
import { ZoneParentRepository } from './zone-parent.repository.js';

/** In milliseconds. */
const LOOK_INTERVAL = 1000;
const FIGURES_INTERVAL = 15_000;
/** So many parents are looked at a time: most of that is waiting for others. */
const TURNS = { inAll: 32, perKey: 4 };
/** A tenant keeps a turn for so long at least, in milliseconds: whoever has many zones has no more asked than that. */
const SHORTEST_TURN = 250;
const PAGE_SIZE = 500;
/** Zones that wait for a turn are met again by each look; those take no more than this share of the time. */
const SHARE = 0.1;
/** A zone of which a look has failed is left alone for so long, in microseconds. */
const AFTER_FAILURE = 60_000_000;
const FAILURE_MESSAGES = {
  failing: 'Parent zones are not looked at for now',
  recovered: 'Parent zones are looked at again.',
};
const MISMATCHES = {
  name: 'zonewright_dnssec_ds_mismatch',
  help: 'Signed zones whose parents have DS of other keys alone: nobody can validate them.',
};

/** Has the parents of signed zones looked at, in the one process that has the lease: a tenant's after the other's. */
@Injectable()
export class Parents implements OnModuleInit, OnModuleDestroy {
  private readonly turns = new FairLimiter(TURNS);
  private readonly underWay = new Map<string, Promise<void>>();
  private task: TaskHandle | null = null;
  private mismatches: number | null = null;
  private readonly endGauge = showGauge(
    MISMATCHES,
    () => (this.mismatches === null ? [] : [{ labels: {}, value: this.mismatches }]),
    'max',
  );

  constructor(
    private readonly looks: ParentPoller,
    private readonly left: StaleParents,
    private readonly parents: ZoneParentRepository,
    private readonly signing: ZoneSigningRepository,
    private readonly runs: SigningJobs,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly background: Scheduler,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    if (!this.runs.isPossible) return;
    const lease = this.background.lease('parents', FAILURE_MESSAGES);
    this.task = this.background.add({
      name: 'dnssec.parents',
      lease,
      every: LOOK_INTERVAL,
      runOnStart: true,
      failureMessages: FAILURE_MESSAGES,
      run: (signal) => this.lookAtDue(signal),
      shutdown: () => this.end(),
    });
    this.background.add({
      name: 'dnssec.parent_figures',
      lease,
      every: FIGURES_INTERVAL,
      runOnStart: true,
      run: async () => {
        this.mismatches = await this.reads.run((tx) => this.parents.mismatches(tx));
      },
    });
  }

  onModuleDestroy(): void {
    this.endGauge();
  }

  /** Resolves when no look is under way. */
  async end(): Promise<void> {
    await Promise.allSettled(this.underWay.values());
  }

  private async lookAtDue(signal: AbortSignal): Promise<void> {
    const began = performance.now();
    await this.left.run(signal);
    const now = this.clock.now();
    let marker: DueZone | undefined;
    for (let isFull = true; isFull && !signal.aborted;) {
      const after: DueZone | undefined = marker;
      const due: DueZone[] = await this.reads.run((tx) => this.signing.parentDue(tx, now, after, PAGE_SIZE));
      for (const zone of due) this.begin(zone, signal);
      marker = due.at(-1);
      isFull = due.length === PAGE_SIZE;
    }
    this.task?.delayNext((performance.now() - began) / SHARE);
  }

  private begin(zone: SignedZoneOf, signal: AbortSignal): void {
    if (this.underWay.has(zone.zoneId)) return;
    const work = this.turns
      .run(() => this.look(zone.zoneId, signal), zone.tenantId)
      .finally(() => this.underWay.delete(zone.zoneId));
    this.underWay.set(zone.zoneId, work);
  }

  /** One zone whose parent cannot be looked at leaves the others alone. */
  private async look(zoneId: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const pause = delay(SHORTEST_TURN, undefined, { signal }).catch(() => undefined);
    await this.looks
      .look(zoneId)
      .catch((error: unknown) => (signal.aborted ? undefined : this.leaveAlone(zoneId, error)));
    await pause;
  }

  private async leaveAlone(zoneId: string, error: unknown): Promise<void> {
    this.task?.fail(error);
    // What a wrong clock calls a minute may be days.
    if (error instanceof WrongClock) return;
    const later = this.clock.now() + AFTER_FAILURE;
    await this.unitOfWork
      .run((tx) => this.signing.lookAtParent(tx, zoneId, later), { zoneId })
      .catch((trouble: unknown) => this.task?.fail(trouble));
  }
}
