import { Injectable } from '@nestjs/common';
import { Coalescer } from '../../common/waiting/coalescer.js';
import { UnitOfWork, type WorkScope } from '../../database/unit-of-work.js';
import { type ChangeEntry, ChangeListener } from '../listeners/change-listener.js';
import { AwaitedPublicationRepository, type MadeChange } from './awaited-publication.repository.js';
import { PublicationJudge } from './publication-judge.js';

/** A queue of its own on PostgreSQL: nobody who changes a zone waits for it. */
const SCOPE: WorkScope = { queue: 'awaited publications', sharesConnections: true };

interface Waiting {
  readonly change: MadeChange;
  readonly settle: (error?: Error) => void;
}

/** Has every change awaited on the name servers from when it was made. */
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

  /** What comes of other zones meanwhile is written together; a zone is here once at a time. */
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
    // In one order, so that no two processes wait for each other. A call that was given up may have left the zone behind.
    const byZone = new Map(group.map(({ change }) => [change.zoneId, change]));
    const changes = [...byZone.values()].sort((one, other) => (one.zoneId < other.zoneId ? -1 : 1));
    try {
      await this.unitOfWork.run((tx) => this.awaited.add(tx, changes), SCOPE);
    } catch (error) {
      // What a unit of work throws is one.
      for (const { settle } of group) settle(error as Error);
      return;
    }
    for (const { settle } of group) settle();
    this.judge.wake();
  }
}
