import { Injectable } from '@nestjs/common';
import { Scheduler } from '../../background/scheduler.js';
import type { TaskHandle } from '../../background/background-task.js';
import { Clock, type Instant, SECOND } from '../../common/clock.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork, type WorkScope } from '../../database/unit-of-work.js';
import { ZonePublication } from '../../zones/zone-publication.js';
import type { PublicationNotice, PublicationReceiver } from '../publication-notice.js';
import { AwaitedPublicationRepository, type DueChange, PORTION } from './awaited-publication.repository.js';

/** How often it is looked for what is due, in milliseconds; other processes wake nobody here. */
const EVERY = 250;
/** The database is left to others for so many times what a portion took; less where more is due. */
const SHARE_OF_OTHERS = { idle: 20, busy: 2 };
/** What lags is looked at so often though nothing has been heard of it: the pool may have got smaller. In microseconds. */
const LOOK_AGAIN: Instant = 600_000_000;
const FAILURE_MESSAGES = {
  failing: 'Events of publication are delayed',
  recovered: 'Events of publication are told in time again.',
};
/** A queue of its own on PostgreSQL. */
const SCOPE: WorkScope = { queue: 'judged publications', sharesConnections: true };

/** Who is told, and after how many seconds a change lags. */
export class PublicationEventsOptions {
  constructor(
    readonly receivers: readonly PublicationReceiver[],
    readonly laggingAfter: number,
  ) {}
}

/** Says in one process for all which changes have reached the name servers, and which have not for long. */
@Injectable()
export class PublicationJudge {
  private readonly task: TaskHandle;
  private mayGoOn = false;

  constructor(
    private readonly awaited: AwaitedPublicationRepository,
    private readonly publication: ZonePublication,
    private readonly options: PublicationEventsOptions,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    background: Scheduler,
  ) {
    this.task = background.add({
      name: 'publications.events',
      lease: background.lease('publication-events', FAILURE_MESSAGES),
      every: (took) => (this.mayGoOn ? SHARE_OF_OTHERS.busy * took : Math.max(EVERY, SHARE_OF_OTHERS.idle * took)),
      failureMessages: FAILURE_MESSAGES,
      run: () => this.judgeNext(),
    });
  }

  /** Something new is awaited. */
  wake(): void {
    this.task.trigger();
  }

  private async judgeNext(): Promise<void> {
    const now = this.clock.now();
    const due = await this.awaited.due(now);
    this.mayGoOn = due.length === PORTION;
    if (due.length === 0) return;
    const judged: Judged[] = [];
    for (const change of due) judged.push({ change, news: await this.newsOf(change, now) });
    const news = judged.flatMap((each) => each.news ?? []);
    // They know what they were told before: it comes again where this process ends, or has lost the lease, before the next step.
    if (news.length > 0) for (const receiver of this.options.receivers) await receiver.tell(news);
    await this.unitOfWork.run((tx) => this.write(tx, judged, now), SCOPE);
  }

  private async newsOf(change: DueChange, at: Instant): Promise<PublicationNotice | null> {
    const { zoneId: id, name, tenantId, number, serial, changedAt, firstNumber, firstSerial, firstChangedAt } = change;
    if (name === null || tenantId === null) return null;
    const zone = { id, name, tenantId };
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

  private lagsFrom({ firstChangedAt }: DueChange): Instant {
    return firstChangedAt + this.options.laggingAfter * SECOND;
  }
}

interface Judged {
  readonly change: DueChange;
  /** `null` where there is none. */
  readonly news: PublicationNotice | null;
}

/** In one order, so that no two processes wait for each other. */
function byZone({ change: one }: Judged, { change: other }: Judged): number {
  return one.zoneId < other.zoneId ? -1 : 1;
}
