import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Scheduler } from '../../background/scheduler.js';
import { HOUR, MINUTE, type TaskHandle } from '../../background/background-task.js';
import type { Lease } from '../../background/lease.js';
import { Clock } from '../../common/clock.js';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { Reads } from '../../database/reads.js';
import { CommitHooks } from '../../zones/changes/commit-hooks.js';
import { ZoneChangeNotifier } from '../../zones/changes/zone-change-notifier.js';
import { type DueZone, type SignedZoneOf, ZoneSigningRepository } from '../state/zone-signing.repository.js';
import { DnssecMetrics } from '../dnssec-metrics.js';
import { SignedSetsCleanup } from '../state/signed-sets-cleanup.js';
import { ZoneVerification } from './zone-verification.js';
import { SigningProgress } from './signing-progress.js';
import { SigningJobs } from './signing-jobs.js';

/** In milliseconds. */
const DUE_INTERVAL = 1000;
/** What others have changed is left to them for so long, in milliseconds. */
const HEARD_FOR = 250;
const COMPARISON_INTERVAL = 30_000;
const FIGURES_INTERVAL = 15_000;
const CHECKS_INTERVAL = 10 * MINUTE;
/** So many zones are signed at a time: signatures wait for the processor, not for the database. */
const TURNS = { inAll: 4, perKey: 2 };
const PAGE_SIZE = 500;
/** A zone that takes longer, in milliseconds, goes on beside the next ones; `SigningJobs` bounds how many do. */
const LONGEST_TURN = 1000;
const FAILURE_MESSAGES = { failing: 'Signing is delayed', recovered: 'Zones are signed again.' };

/**
 * Has zones signed: those that this process has changed at once; in the one process that has the lease also what is due, and
 * what others have left.
 */
@Injectable()
export class Signer implements OnModuleInit, OnModuleDestroy {
  private readonly changed = new Set<string>();
  private readonly turns = new FairLimiter(TURNS);
  /** Those that wait for their turn: they are signed as they are by then. */
  private readonly waiting = new Set<string>();
  private news: TaskHandle | null = null;
  private stopListening: () => void = () => undefined;
  private stopHearing: () => void = () => undefined;

  constructor(
    private readonly runs: SigningJobs,
    private readonly progress: SigningProgress,
    private readonly checks: ZoneVerification,
    private readonly figures: DnssecMetrics,
    private readonly cleanup: SignedSetsCleanup,
    private readonly signing: ZoneSigningRepository,
    private readonly reads: Reads,
    private readonly commits: CommitHooks,
    private readonly zoneNews: ZoneChangeNotifier,
    private readonly background: Scheduler,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    if (!this.runs.isPossible) return;
    const news = this.background.add({
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
    const lease = this.background.lease('signer', FAILURE_MESSAGES);
    this.listenToOthers(lease);
    this.background.add({
      name: 'dnssec.due',
      lease,
      every: DUE_INTERVAL,
      runOnStart: true,
      failureMessages: FAILURE_MESSAGES,
      run: (signal) => this.signDue(signal),
    });
    this.background.add({
      name: 'dnssec.checks',
      lease,
      every: CHECKS_INTERVAL,
      failureMessages: {
        failing: 'Signed zones cannot be checked at the moment',
        recovered: 'Signed zones are checked again.',
      },
      run: (signal) => this.checks.run(signal),
    });
    this.background.add({
      name: 'dnssec.figures',
      lease,
      every: FIGURES_INTERVAL,
      runOnStart: true,
      run: () => this.figures.read(),
    });
    this.background.add({
      name: 'dnssec.cleanup',
      lease,
      every: HOUR,
      failureMessages: {
        failing: 'Former signatures cannot be removed at the moment',
        recovered: 'Former signatures are removed again.',
      },
      run: (signal) => this.cleanup.run(signal),
    });
    this.background.add({
      name: 'dnssec.comparison',
      lease,
      every: COMPARISON_INTERVAL,
      runOnStart: true,
      failureMessages: FAILURE_MESSAGES,
      run: (signal) => this.signBehind(signal),
    });
  }

  onModuleDestroy(): void {
    this.stopListening();
    this.stopHearing();
  }

  /** What a process without keys has changed; the others sign for themselves, and mostly have by then. */
  private listenToOthers(lease: Lease): void {
    const heard = new Set<string>();
    const hearing = this.background.add({
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
      hearing.trigger(HEARD_FOR);
    });
  }

  private signedAmong(ids: readonly string[]): Promise<SignedZoneOf[]> {
    return this.reads.run((tx) => this.signing.signedAmong(tx, ids));
  }

  private async signChanged(signal: AbortSignal): Promise<void> {
    const ids = [...this.changed];
    this.changed.clear();
    await this.signAll(await this.signedAmong(ids), signal);
  }

  /** Also zones of others behind those of a tenant that has many. */
  private async signDue(signal: AbortSignal): Promise<void> {
    const now = this.clock.now();
    let marker: DueZone | undefined;
    for (let isFull = true; isFull && !signal.aborted;) {
      const after: DueZone | undefined = marker;
      const due: DueZone[] = await this.reads.run((tx) => this.signing.due(tx, now, after, PAGE_SIZE));
      await this.signAll(due, signal);
      await this.advanceAll(due, signal);
      marker = due.at(-1);
      isFull = due.length === PAGE_SIZE;
    }
  }

  private async advanceAll(zones: readonly SignedZoneOf[], signal: AbortSignal): Promise<void> {
    for (const { zoneId } of zones) {
      if (signal.aborted) return;
      await this.alone(this.progress.advance(zoneId), signal);
    }
  }

  private async signBehind(signal: AbortSignal): Promise<void> {
    for (let marker: string | undefined = ''; marker !== undefined && !signal.aborted;) {
      const after: string = marker;
      const page = await this.reads.run((tx) => this.signing.behind(tx, after, PAGE_SIZE));
      await this.signAll(
        page.filter(({ isBehind }) => isBehind === 1),
        signal,
      );
      marker = page.at(-1)?.zoneId;
    }
  }

  /** Tenants have their zones signed in turn, whatever each has of them. */
  private async signAll(zones: readonly SignedZoneOf[], signal: AbortSignal): Promise<void> {
    const isNew = ({ zoneId }: SignedZoneOf): boolean => !this.waiting.has(zoneId);
    const all = Promise.all(zones.filter(isNew).map((zone) => this.signInTurn(zone, signal)));
    await Promise.race([all, delay(LONGEST_TURN, undefined, { ref: false })]);
  }

  private async signInTurn({ zoneId, tenantId }: SignedZoneOf, signal: AbortSignal): Promise<void> {
    this.waiting.add(zoneId);
    const sign = async (): Promise<void> => {
      // A change from here on is not part of what is signed now, and has a turn of its own.
      this.waiting.delete(zoneId);
      if (signal.aborted) return;
      await Promise.race([
        this.alone(this.runs.run(zoneId, signal), signal),
        delay(LONGEST_TURN, undefined, { ref: false }),
      ]);
    };
    await this.turns.run(sign, tenantId);
  }

  /** One zone that cannot be signed leaves the others alone. */
  private async alone(work: Promise<void>, signal: AbortSignal): Promise<void> {
    await work.catch((error: unknown) => {
      if (!signal.aborted) this.news?.fail(error);
    });
  }
}
