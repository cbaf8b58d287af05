import { Injectable } from '@nestjs/common';
import type { BackgroundService, Scheduler } from '../../background/scheduler.js';
import type { TaskHandle } from '../../background/background-task.js';
import { Clock, type Instant, SECOND } from '../../common/clock.js';
import { Reads } from '../../database/reads.js';
import { labelsOf } from '../../common/labels.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork, type WorkScope } from '../../database/unit-of-work.js';
import { ZonePublication } from '../../zones/zone-publication.js';
import { NoticeReceivers, type PublicationNotice } from '../change-events.js';
import {
  AwaitedPublicationRepository,
  type DuePublication,
  PORTION,
  type WaitingPublication,
} from './awaited-publication.repository.js';
import { Coalescer } from '../../common/waiting/coalescer.js';
import { type ChangeEntry, ChangeListener } from '../../plugins/change-listener.js';

/** Interval of checks in milliseconds; other processes cannot wake this one. */
const EVERY = 250;
/** The database stays free for this multiple of the time that a portion took. */
const SHARE_OF_OTHERS = { idle: 20, busy: 2 };
/** Interval of checks for lagging zones, since the pool may shrink. In microseconds. */
const LOOK_AGAIN: Instant = 600_000_000;
const FAILURE_MESSAGES = {
  failing: 'Publication events are delayed',
  recovered: 'Publication events are up to date again.',
};
const SCOPE: WorkScope = { queue: 'judged publications', sharesConnections: true };

export abstract class PublicationEventsOptions {
  /** Time in seconds after which a change lags. */
  abstract readonly laggingAfter: number;
}

/** Determines which changes are published and which lag, in the process that holds the lease. */
@Injectable()
export class PublicationJudge implements BackgroundService {
  private task: TaskHandle | null = null;
  private mayGoOn = false;

  constructor(
    private readonly awaited: AwaitedPublicationRepository,
    private readonly publication: ZonePublication,
    private readonly options: PublicationEventsOptions,
    private readonly receivers: NoticeReceivers,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  addTasks(scheduler: Scheduler): void {
    this.task = scheduler.add({
      name: 'publications.events',
      lease: scheduler.lease('publication-events', FAILURE_MESSAGES),
      every: (took) => (this.mayGoOn ? SHARE_OF_OTHERS.busy * took : Math.max(EVERY, SHARE_OF_OTHERS.idle * took)),
      failureMessages: FAILURE_MESSAGES,
      run: () => this.judgeNext(),
    });
  }

  wake(): void {
    this.task?.trigger();
  }

  private async judgeNext(): Promise<void> {
    const now = this.clock.now();
    const due = await this.awaited.due(now);
    this.mayGoOn = due.length === PORTION;
    if (due.length === 0) return;
    const judged: Judged[] = [];
    for (const change of due) judged.push({ change, news: await this.newsOf(change, now) });
    const news = judged.flatMap((each) => each.news ?? []);
    // Receivers ignore repeated notices, which occur if this process dies or loses the lease before the next step.
    await this.receivers.tell(news);
    await this.unitOfWork.run((tx) => this.write(tx, judged, now), SCOPE);
  }

  private async newsOf(change: DuePublication, at: Instant): Promise<PublicationNotice | null> {
    const { zoneId: id, name, tenantId, number, serial, changedAt, firstNumber, firstSerial, firstChangedAt } = change;
    if (name === null || tenantId === null) return null;
    const zone = { id, name, tenantId, ...(change.labels !== null && { labels: labelsOf(change) }) };
    if (change.hasLatest === 1) return { publication: 'published', zone, number, serial, changedAt, at, servers: [] };
    const first = { zone, number: firstNumber, serial: firstSerial, changedAt: firstChangedAt, at };
    if (change.hasFirst === 1) return { publication: 'published', ...first, servers: [] };
    if (change.isLagging === 1 || at < this.lagsFrom(change)) return null;
    const servers = await this.reads.run((tx) => this.publication.lacking(tx, id, firstSerial));
    return { publication: 'lagging', ...first, servers };
  }

  private async write(tx: Transaction, judged: readonly Judged[], now: Instant): Promise<void> {
    for (const { change, news } of judged.toSorted(byZone)) {
      const isLagging = change.isLagging === 1 || news?.publication === 'lagging';
      if (change.name === null) await this.awaited.settle(tx, change.zoneId, Number.MAX_SAFE_INTEGER);
      else if (news?.publication === 'published') await this.awaited.settle(tx, change.zoneId, news.number);
      else await this.awaited.putOff(tx, change, isLagging, isLagging ? now + LOOK_AGAIN : this.lagsFrom(change));
    }
  }

  private lagsFrom({ firstChangedAt }: DuePublication): Instant {
    return firstChangedAt + this.options.laggingAfter * SECOND;
  }
}

interface Judged {
  readonly change: DuePublication;
  readonly news: PublicationNotice | null;
}

/** Sorted to avoid deadlocks. */
function byZone({ change: one }: Judged, { change: other }: Judged): number {
  return one.zoneId < other.zoneId ? -1 : 1;
}

/** A separate queue on PostgreSQL, so that zone changes do not wait. */
const AWAITED_SCOPE: WorkScope = { queue: 'awaited publications', sharesConnections: true };

interface Waiting {
  readonly change: WaitingPublication;
  readonly settle: (error?: Error) => void;
}

@Injectable()
export class PublicationListener extends ChangeListener {
  private readonly groups = new Coalescer<Waiting>((group) => this.writeGroup(group));

  constructor(
    private readonly awaited: AwaitedPublicationRepository,
    private readonly judge: PublicationJudge,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
  }

  /** Batches concurrent writes of different zones. */
  override receive(entries: readonly ChangeEntry[]): Promise<void> {
    const [first, last] = [entries[0], entries.at(-1)];
    if (first === undefined || last === undefined) return Promise.resolve();
    const { zone, number, serial, at } = last;
    const change = { zoneId: zone.id, number, serial, changedAt: at, firstChangedAt: first.at };
    return new Promise((resolve, reject) => {
      const settle = (error?: Error): void => (error === undefined ? resolve() : reject(error));
      this.groups.add({ change, settle });
    });
  }

  private async writeGroup(group: readonly Waiting[]): Promise<void> {
    // Sorted to avoid deadlocks. A timed-out call may have left an older change of the zone.
    const byZone = new Map(group.map(({ change }) => [change.zoneId, change]));
    const changes = [...byZone.values()].sort((one, other) => (one.zoneId < other.zoneId ? -1 : 1));
    try {
      await this.unitOfWork.run((tx) => this.awaited.add(tx, changes), AWAITED_SCOPE);
    } catch (error) {
      // A unit of work throws errors only.
      for (const { settle } of group) settle(error as Error);
      return;
    }
    for (const { settle } of group) settle();
    this.judge.wake();
  }
}
