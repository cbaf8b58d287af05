import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type BackgroundTask, HOUR, MINUTE, type TaskHandle } from '../../background/background-task.js';
import type { Lease } from '../../background/lease.js';
import type { BackgroundService, Scheduler } from '../../background/scheduler.js';
import { Clock } from '../../common/clock.js';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { CommitHooks, ZoneChangeNotifier } from '../../zones/changes/zone-change-notifier.js';
import { DnssecMetrics } from '../dnssec-metrics.js';
import { RetiredTokenKeys } from '../keys/retired-token-keys.js';
import { ZoneKeys } from '../keys/zone-keys.js';
import { ScheduledRollovers } from '../rollovers/scheduled-rollovers.js';
import { ZoneVerification } from '../signed-zone-check.js';
import { SigningContext } from '../signing-context.js';
import { SignedSetsCleanup } from '../state/generations.js';
import type { DueZone, SignedZoneOf } from '../state/zone-signing.repository.js';
import { SigningJobs } from './signing-jobs.js';
import { SigningProgress } from './signing-progress.js';

const DUE_INTERVAL_MS = 1000;
/** Changes of other processes wait for this time, because the process that changed a zone signs it. */
const FOREIGN_DELAY_MS = 250;
const COMPARISON_INTERVAL_MS = 30_000;
const FIGURES_INTERVAL_MS = 15_000;
const CHECKS_INTERVAL_MS = 10 * MINUTE;
/** Concurrent zones: signing is bound by CPU, not by the database. */
const TURNS = { inAll: 4, perKey: 2 };
const PAGE_SIZE = 500;
/** A zone that takes longer continues in parallel to the next ones. `SigningJobs` limits their number. */
const MAX_TURN_MS = 1000;
const FAILURE_MESSAGES = { failing: 'Signing is delayed', recovered: 'Zones are signed again.' };

/** The periodic tasks apart from signing: scheduled rollovers, daily verification, metrics and cleanup. */
@Injectable()
export class SigningMaintenance {
  constructor(
    private readonly verification: ZoneVerification,
    private readonly metrics: DnssecMetrics,
    private readonly cleanup: SignedSetsCleanup,
    private readonly scheduled: ScheduledRollovers,
    private readonly keys: ZoneKeys,
    private readonly retired: RetiredTokenKeys,
  ) {}

  tasks(lease: Lease): BackgroundTask[] {
    const rollovers: BackgroundTask = {
      name: 'dnssec.rollovers',
      lease,
      every: MINUTE,
      failureMessages: { failing: 'Cannot begin scheduled rollovers', recovered: 'Scheduled rollovers begin again.' },
      run: (signal) => this.scheduled.run(signal),
    };
    const retired: BackgroundTask = {
      name: 'dnssec.token',
      lease,
      every: HOUR,
      failureMessages: {
        failing: 'Cannot destroy retired keys in the token',
        recovered: 'Retired keys in the token are destroyed again.',
      },
      run: (signal) => this.retired.run(signal),
    };
    return [
      ...(this.scheduled.isConfigured ? [rollovers] : []),
      ...(this.keys.hasToken ? [retired] : []),
      {
        name: 'dnssec.checks',
        lease,
        every: CHECKS_INTERVAL_MS,
        failureMessages: { failing: 'Cannot verify signed zones', recovered: 'Signed zones are verified again.' },
        run: (signal) => this.verification.run(signal),
      },
      {
        name: 'dnssec.figures',
        lease,
        every: FIGURES_INTERVAL_MS,
        runOnStart: true,
        run: () => this.metrics.read(),
      },
      {
        name: 'dnssec.cleanup',
        lease,
        every: HOUR,
        failureMessages: {
          failing: 'Cannot delete former signatures',
          recovered: 'Former signatures are deleted again.',
        },
        run: (signal) => this.cleanup.run(signal),
      },
    ];
  }
}

/** Signs zones that this process changed. With the lease, also due zones and changes of processes without keys. */
@Injectable()
export class Signer implements BackgroundService, OnModuleDestroy {
  private readonly changed = new Set<string>();
  private readonly turns = new FairLimiter(TURNS);
  /** Zones that wait for a slot. Their job reads the zone when it starts. */
  private readonly waiting = new Set<string>();
  private news: TaskHandle | null = null;
  private stopListening: () => void = () => undefined;
  private stopHearing: () => void = () => undefined;

  constructor(
    private readonly jobs: SigningJobs,
    private readonly progress: SigningProgress,
    private readonly maintenance: SigningMaintenance,
    private readonly context: SigningContext,
    private readonly commits: CommitHooks,
    private readonly zoneNews: ZoneChangeNotifier,
    private readonly clock: Clock,
  ) {}

  addTasks(scheduler: Scheduler): void {
    if (!this.jobs.isPossible) return;
    const news = scheduler.add({
      name: 'dnssec.changes',
      every: () => (this.changed.size > 0 ? 0 : Infinity),
      failureMessages: FAILURE_MESSAGES,
      run: (signal) => this.signChanged(signal),
    });
    this.news = news;
    this.stopListening = this.commits.listen((zoneId) => {
      this.changed.add(zoneId);
      news.trigger();
    });
    const lease = scheduler.lease('signer', FAILURE_MESSAGES);
    this.listenToOthers(scheduler, lease);
    scheduler.add({
      name: 'dnssec.due',
      lease,
      every: DUE_INTERVAL_MS,
      runOnStart: true,
      failureMessages: FAILURE_MESSAGES,
      run: (signal) => this.signDue(signal),
    });
    for (const task of this.maintenance.tasks(lease)) scheduler.add(task);
    scheduler.add({
      name: 'dnssec.comparison',
      lease,
      every: COMPARISON_INTERVAL_MS,
      runOnStart: true,
      failureMessages: FAILURE_MESSAGES,
      run: (signal) => this.signBehind(signal),
    });
  }

  onModuleDestroy(): void {
    this.stopListening();
    this.stopHearing();
  }

  /** Signs zones that a process without keys changed. Processes with keys have signed theirs after the delay. */
  private listenToOthers(scheduler: Scheduler, lease: Lease): void {
    const heard = new Set<string>();
    const hearing = scheduler.add({
      name: 'dnssec.others',
      lease,
      every: Infinity,
      runOnStart: true,
      failureMessages: FAILURE_MESSAGES,
      run: async (signal) => {
        this.zoneNews.start();
        const ids = [...heard];
        heard.clear();
        await this.signAll(await this.signedAmong(ids), signal);
      },
    });
    this.stopHearing = this.zoneNews.listen((zoneId) => {
      if (!lease.isHeld) return;
      heard.add(zoneId);
      hearing.trigger(FOREIGN_DELAY_MS);
    });
  }

  private signedAmong(ids: readonly string[]): Promise<SignedZoneOf[]> {
    return this.context.read((tx) => this.context.signing.signedAmong(tx, ids));
  }

  private async signChanged(signal: AbortSignal): Promise<void> {
    const ids = [...this.changed];
    this.changed.clear();
    await this.signAll(await this.signedAmong(ids), signal);
  }

  /** Reads all due pages, so that a tenant with many zones does not hide the others. */
  private async signDue(signal: AbortSignal): Promise<void> {
    const now = this.clock.now();
    let marker: DueZone | undefined;
    for (let isFull = true; isFull && !signal.aborted;) {
      const after: DueZone | undefined = marker;
      const due: DueZone[] = await this.context.read((tx) => this.context.signing.due(tx, now, after, PAGE_SIZE));
      await this.signAll(due, signal);
      await this.advanceAll(due, signal);
      marker = due.at(-1);
      isFull = due.length === PAGE_SIZE;
    }
  }

  private async advanceAll(zones: readonly SignedZoneOf[], signal: AbortSignal): Promise<void> {
    for (const { zoneId } of zones) {
      if (signal.aborted) return;
      await this.isolated(this.progress.advance(zoneId), signal);
    }
  }

  private async signBehind(signal: AbortSignal): Promise<void> {
    for (let marker: string | undefined = ''; marker !== undefined && !signal.aborted;) {
      const after: string = marker;
      const page = await this.context.read((tx) => this.context.signing.behind(tx, after, PAGE_SIZE));
      const behind = page.filter(({ isBehind }) => isBehind === 1);
      await this.signAll(behind, signal);
      marker = page.at(-1)?.zoneId;
    }
  }

  /** Tenants take turns, however many zones they have. */
  private async signAll(zones: readonly SignedZoneOf[], signal: AbortSignal): Promise<void> {
    const isNew = ({ zoneId }: SignedZoneOf): boolean => !this.waiting.has(zoneId);
    const all = Promise.all(zones.filter(isNew).map((zone) => this.signInTurn(zone, signal)));
    await Promise.race([all, delay(MAX_TURN_MS, undefined, { ref: false })]);
  }

  private async signInTurn({ zoneId, tenantId }: SignedZoneOf, signal: AbortSignal): Promise<void> {
    this.waiting.add(zoneId);
    const sign = async (): Promise<void> => {
      // A later change is not part of this job and needs its own turn.
      this.waiting.delete(zoneId);
      if (signal.aborted) return;
      await Promise.race([
        this.isolated(this.jobs.run(zoneId, signal), signal),
        delay(MAX_TURN_MS, undefined, { ref: false }),
      ]);
    };
    await this.turns.run(sign, tenantId);
  }

  /** A failing zone does not stop the others. */
  private async isolated(work: Promise<void>, signal: AbortSignal): Promise<void> {
    await work.catch((error: unknown) => {
      if (!signal.aborted) this.news?.fail(error);
    });
  }
}
