import { Injectable } from '@nestjs/common';
import type { Lease } from '../../background/lease.js';
import type { BackgroundService, Scheduler } from '../../background/scheduler.js';
import { DomainName } from '../../dns/name.js';
import { CommitHooks, ZoneChangeNotifier } from '../../zones/changes/zone-change-notifier.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { PoolMembers } from './pool-member.js';
import { PoolReconciler } from './pool-reconciler.js';
import { PublicationRepository } from './publication.repository.js';

/** Timeout of the single NOTIFY from a process without the lease, in milliseconds. */
const SINGLE_TIME_LIMIT = 300;
const TOLD_AT_A_TIME = 1000;
/** Retry delay while the lease holder is unknown, in milliseconds. */
const TELL_AGAIN = 100;
const FAILURE_MESSAGES = { failing: 'Publishing is delayed', recovered: 'Publishing works again.' };

/** Each process sends NOTIFY for its own changes immediately. The lease holder leaves this to its reconciler. */
@Injectable()
export class NotifyScheduler implements BackgroundService {
  private lease: Lease | null = null;
  /** IDs of changed zones, and whether this process has changed them. */
  private changed = new Map<string, boolean>();
  private readonly stopListening: (() => void)[] = [];

  constructor(
    private readonly pool: PoolMembers,
    private readonly commits: CommitHooks,
    private readonly news: ZoneChangeNotifier,
    private readonly publications: PublicationRepository,
    private readonly catalog: CatalogService,
    private readonly reconciler: PoolReconciler,
  ) {}

  addTasks(scheduler: Scheduler): void {
    if (this.pool.all.length === 0 && !this.catalog.isConfigured) return;
    const lease = scheduler.lease('publisher', FAILURE_MESSAGES);
    this.lease = lease;
    this.reconciler.addTasks(scheduler, lease, FAILURE_MESSAGES, () => this.end());
    const telling = scheduler.add({
      name: 'publishing.news',
      // Changes wait until the lease holder is known.
      every: () => (this.changed.size > 0 ? (this.isReady ? 0 : TELL_AGAIN) : Infinity),
      failureMessages: FAILURE_MESSAGES,
      run: () => this.tell(),
    });
    const note = (zoneId: string, isOurs: boolean): void => {
      this.changed.set(zoneId, isOurs || this.changed.get(zoneId) === true);
      telling.trigger();
    };
    this.news.start();
    this.stopListening.push(
      this.commits.listen((zoneId) => note(zoneId, true)),
      this.news.listen((zoneId) => note(zoneId, false)),
      this.news.whenBack(() => this.reconciler.recheck()),
    );
  }

  private async end(): Promise<void> {
    for (const stop of this.stopListening.splice(0)) stop();
    await this.pool.end();
  }

  /** Whether the lease holder is known and, in this process, its state is loaded. */
  private get isReady(): boolean {
    return this.lease?.isKnown === true && (this.reconciler.isLoaded || !this.lease.isHeld);
  }

  private async tell(): Promise<void> {
    if (!this.isReady || this.changed.size === 0) return;
    const changed = [...this.changed];
    const some = changed.slice(0, TOLD_AT_A_TIME);
    this.changed = new Map(changed.slice(TOLD_AT_A_TIME));
    if (await this.reconciler.update(new Map(some))) return;
    // Other processes send NOTIFY for their own changes.
    await this.notifyOnce(some.flatMap(([id, isOurs]) => (isOurs ? [id] : [])));
  }

  /** The lease holder handles retries and busy servers. */
  private async notifyOnce(ids: readonly string[]): Promise<void> {
    const [zones, catalog] = await Promise.all([this.publications.zones(ids), this.catalog.changedBy(ids)]);
    const { all, notifier } = this.pool;
    for (const { id, name } of catalog === null ? zones : [catalog, ...zones])
      for (const member of all)
        if (!member.isBusy) void notifier.notify(member, { id, name: DomainName.parse(name) }, SINGLE_TIME_LIMIT);
  }
}
