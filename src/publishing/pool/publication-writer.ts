import { Injectable } from '@nestjs/common';
import type { Scheduler } from '../../background/scheduler.js';
import type { FailureMessages } from '../../background/background-task.js';
import { GatheredWrites } from '../../background/gathered-writes.js';
import type { Lease } from '../../background/lease.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork, type WorkScope } from '../../database/unit-of-work.js';
import { PublicationProgress } from '../../zones/zone-publication.js';
import type { PublicationEntity } from './publication.entity.js';
import { PublicationRepository } from './publication.repository.js';

/** Write delays for news and for routine confirmations, in milliseconds. */
const SOON = 20;
const LATER = 30_000;
/** A separate queue on PostgreSQL, so that zone changes do not wait. */
const SCOPE: WorkScope = { queue: 'publications', sharesConnections: true };

/** Writes server statuses, many rows per commit, only while this process holds the lease. */
@Injectable()
export class PublicationWriter {
  private writes: GatheredWrites<Note> | null = null;

  constructor(
    private readonly publications: PublicationRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly progress: PublicationProgress,
  ) {}

  addTasks(scheduler: Scheduler, lease: Lease, failureMessages: FailureMessages): void {
    const declaration = { name: 'publishing.results', lease, failureMessages };
    this.writes = new GatheredWrites(declaration, (notes) => this.writeAll(lease, [...notes.values()]));
    this.writes.addTasks(scheduler);
  }

  find(zoneId: string, server: string): PublicationEntity | undefined {
    const note = this.noted({ zoneId, server });
    return note === undefined || note.isDeleted ? undefined : note.row;
  }

  /** @param isNews whether a client may be waiting for it */
  write(row: PublicationEntity, isNews: boolean): void {
    const before = this.noted(row);
    const hasNews = isNews || (before?.isDeleted === false && before.hasNews);
    this.writes?.note(keyOf(row), { row, hasNews, isDeleted: false }, isNews ? SOON : LATER);
  }

  delete(row: Pick<PublicationEntity, 'zoneId' | 'server'>): void {
    this.writes?.note(keyOf(row), { row, isDeleted: true }, SOON);
  }

  private noted(key: Pick<PublicationEntity, 'zoneId' | 'server'>): Note | undefined {
    return this.writes?.find(keyOf(key));
  }

  private async writeAll(lease: Lease, notes: readonly Note[]): Promise<void> {
    // Zones are locked in the order of their IDs everywhere, to avoid deadlocks.
    const rows = notes
      .flatMap((note) => (note.isDeleted ? [] : [note.row]))
      .sort((one, other) => (one.zoneId < other.zoneId ? -1 : 1));
    const write = async (tx: Transaction): Promise<void> => {
      if (!(await lease.isHeldIn(tx))) return;
      await this.publications.write(tx, rows);
      const deleted = notes.flatMap((note) => (note.isDeleted ? [note.row] : []));
      await this.publications.delete(tx, deleted);
      await this.progress.record(tx, zonesWithNews(notes));
    };
    await this.unitOfWork.run(write, SCOPE);
  }
}

type Note =
  | { readonly row: PublicationEntity; readonly hasNews: boolean; readonly isDeleted: false }
  | { readonly row: Pick<PublicationEntity, 'zoneId' | 'server'>; readonly isDeleted: true };

/** Zones with a new answer, sorted to avoid deadlocks. */
function zonesWithNews(notes: readonly Note[]): string[] {
  const ids = notes.flatMap((note) =>
    !note.isDeleted && note.hasNews && note.row.serial !== null ? note.row.zoneId : [],
  );
  return [...new Set(ids)].sort();
}

function keyOf({ zoneId, server }: Pick<PublicationEntity, 'zoneId' | 'server'>): string {
  return `${zoneId} ${server}`;
}
