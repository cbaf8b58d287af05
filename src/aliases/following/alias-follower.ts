import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { MINUTE, type TaskHandle } from '../../background/background-task.js';
import type { Lease } from '../../background/lease.js';
import type { BackgroundService, Scheduler } from '../../background/scheduler.js';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { Reads } from '../../database/reads.js';
import { showGauge } from '../../observability/metrics.js';
import { ZoneChangeNotifier } from '../../zones/changes/zone-change-notifier.js';
import { AliasLinks } from './alias-links.js';
import { AliasPublisher } from './alias-publisher.js';
import type { AliasTargetEntity } from '../alias-target.entity.js';
import { AliasRepository } from '../alias.repository.js';
import { AliasesOptions } from '../aliases.options.js';
import { TargetRefresher } from '../target-refresher.js';

const INTERVAL_MS = 1000;
/** Between two runs after changes of zones: a zone that always changes does not have its targets read without end. */
const PAUSE_MS = 100;
/** A sweep reads all ALIAS records: it rests for this multiple of its time. */
const SWEEP_REST = 50;
const FIGURES_INTERVAL_MS = 15_000;
const PAGE_SIZE = 500;
/** Targets that are resolved or wait for it. */
const MOST_UNDER_WAY = 5000;
/** A slow target does not keep the others from being published. */
const LONGEST_WAIT_MS = 200;
/** Slots of one tenant, whose name servers may never answer. */
const SHARE_OF_TENANT = 4;
const FAILURE_MESSAGES = { failing: 'ALIAS targets are not followed', recovered: 'ALIAS targets are followed again.' };
const STATES = {
  name: 'zonewright_alias_targets',
  help: 'Targets of ALIAS records by the state of their last resolution.',
};
const TROUBLE = {
  name: 'zonewright_alias_trouble_since_timestamp_seconds',
  help: 'Since when the first of the targets in a state has had no new addresses, in seconds since 1970.',
};

interface Figure {
  readonly state: string;
  readonly count: number;
  readonly oldest: number | null;
}

/** Follows the targets of all ALIAS records, in the process that holds the lease; tenants take turns. */
@Injectable()
export class AliasFollower implements BackgroundService, OnModuleDestroy {
  private readonly turns: FairLimiter;
  private readonly underWay = new Map<string, Promise<void>>();
  private readonly changed = new Set<string>();
  private task: TaskHandle | null = null;
  private sweep: TaskHandle | null = null;
  private figures: readonly Figure[] = [];
  private readonly ends: (() => void)[] = [];

  constructor(
    private readonly aliases: AliasRepository,
    private readonly links: AliasLinks,
    private readonly targets: TargetRefresher,
    private readonly publisher: AliasPublisher,
    private readonly reads: Reads,
    private readonly news: ZoneChangeNotifier,
    { maxQueries: inAll }: AliasesOptions,
  ) {
    this.turns = new FairLimiter({ inAll, perKey: Math.max(1, Math.floor(inAll / SHARE_OF_TENANT)) });
  }

  addTasks(scheduler: Scheduler): void {
    const lease = scheduler.lease('aliases', FAILURE_MESSAGES);
    const common = { lease, runOnStart: true, failureMessages: FAILURE_MESSAGES };
    this.task = scheduler.add({
      ...common,
      name: 'aliases.follow',
      every: INTERVAL_MS,
      run: (signal) => this.follow(lease, signal),
      shutdown: () => this.end(),
    });
    this.sweep = scheduler.add({
      ...common,
      name: 'aliases.sweep',
      every: (took) => Math.max(MINUTE, SWEEP_REST * took),
      run: async (signal) => {
        await this.links.linkAll(lease, signal);
        this.task?.trigger();
      },
    });
    scheduler.add({
      name: 'aliases.figures',
      lease,
      every: FIGURES_INTERVAL_MS,
      runOnStart: true,
      run: async () => {
        this.figures = await this.reads.run((tx) => this.aliases.states(tx));
      },
    });
    this.listen(lease);
  }

  onModuleDestroy(): void {
    for (const end of this.ends.splice(0)) end();
  }

  private async end(): Promise<void> {
    await Promise.allSettled(this.underWay.values());
  }

  private listen(lease: Lease): void {
    this.news.start();
    this.ends.push(
      this.news.listen((zoneId) => {
        if (!lease.isHeld) return;
        this.changed.add(zoneId);
        this.task?.trigger();
      }),
      showGauge(STATES, () => this.figures.map(({ state, count }) => ({ labels: { state }, value: count })), 'max'),
      showGauge(TROUBLE, () => this.troubles(), 'max'),
    );
  }

  private async follow(lease: Lease, signal: AbortSignal): Promise<void> {
    if (this.changed.size > 0) {
      const zones = [...this.changed];
      this.changed.clear();
      this.task?.delayNext(PAUSE_MS);
      await this.links.linkZones(zones, lease, signal);
    }
    await this.resolveDue(signal);
    await Promise.race([Promise.all(this.underWay.values()), delay(LONGEST_WAIT_MS, undefined, { ref: false })]);
    await this.publishStale(lease, signal);
  }

  private async resolveDue(signal: AbortSignal): Promise<void> {
    let marker: AliasTargetEntity | undefined;
    for (let isFull = true; isFull && !signal.aborted && this.underWay.size < MOST_UNDER_WAY;) {
      const due: AliasTargetEntity[] = await this.targets.due(marker, PAGE_SIZE);
      for (const target of due) await this.begin(target);
      marker = due.at(-1);
      isFull = due.length === PAGE_SIZE;
    }
  }

  private async begin(target: AliasTargetEntity): Promise<void> {
    const key = `${target.fingerprint} ${target.zoneId}`;
    if (this.underWay.has(key)) return;
    const tenantId = await this.targets.tenantOf(target);
    if (tenantId === null) return;
    const resolving = this.turns
      .run(() => this.refresh(target, tenantId), tenantId)
      .finally(() => {
        this.underWay.delete(key);
        this.task?.trigger();
      });
    this.underWay.set(key, resolving);
  }

  private async refresh(target: AliasTargetEntity, tenantId: string): Promise<void> {
    try {
      if (!(await this.targets.refresh(target, tenantId))) this.sweep?.trigger();
    } catch (error) {
      this.task?.fail(error);
    }
  }

  private async publishStale(lease: Lease, signal: AbortSignal): Promise<void> {
    for (let after = { fingerprint: '', zoneId: '' }; !signal.aborted && lease.isHeld;) {
      const from = after;
      const stale = await this.reads.run((tx) => this.aliases.stale(tx, from, PAGE_SIZE));
      for (const target of stale) await this.publisher.publish(target, signal);
      const last = stale.at(-1);
      if (last === undefined || stale.length < PAGE_SIZE) return;
      after = last;
    }
  }

  private troubles(): { labels: { state: string }; value: number }[] {
    return this.figures.flatMap(({ state, oldest }) =>
      oldest === null ? [] : [{ labels: { state }, value: oldest / 1_000_000 }],
    );
  }
}
