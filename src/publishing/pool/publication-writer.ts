import type { Scheduler } from '../../background/scheduler.js';
import type { FailureMessages } from '../../background/background-task.js';
import { GatheredWrites } from '../../background/gathered-writes.js';
import type { Lease } from '../../background/lease.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork, type WorkScope } from '../../database/unit-of-work.js';
import type { PublicationProgress } from '../../zones/publication-progress.js';
import type { PublicationEntity } from './publication.entity.js';
import type { PublicationRepository } from './publication.repository.js';

/** News are written together after so long; what only says that all is as it was waits longer. In milliseconds. */
const SOON = 20;
const LATER = 30_000;
/** A queue of its own on PostgreSQL: nobody who makes a zone waits for it. */
const SCOPE: WorkScope = { queue: 'publications', sharesConnections: true };

/** Writes what becomes known of name servers, many rows in one commit, and only while this process has the lease. */
export class PublicationWriter {
  private readonly writes: GatheredWrites<Note>;

  constructor(
    private readonly publications: PublicationRepository,
    private readonly unitOfWork: UnitOfWork,
    background: Scheduler,
    private readonly lease: Lease,
    private readonly progress: PublicationProgress,
    failureMessages: FailureMessages,
  ) {
    const declaration = { name: 'publishing.results', lease, failureMessages };
    this.writes = new GatheredWrites(background, declaration, (notes) => this.writeAll([...notes.values()]));
  }

  /** What is not in the database yet. */
  find(zoneId: string, server: string): PublicationEntity | undefined {
    const note = this.noted({ zoneId, server });
    return note === undefined || note.isDeleted ? undefined : note.row;
  }

  /** @param isNews whether somebody may be waiting for it */
  write(row: PublicationEntity, isNews: boolean): void {
    const before = this.noted(row);
    const hasNews = isNews || (before?.isDeleted === false && before.hasNews);
    this.writes.note(keyOf(row), { row, hasNews, isDeleted: false }, isNews ? SOON : LATER);
  }

  delete(row: Pick<PublicationEntity, 'zoneId' | 'server'>): void {
    this.writes.note(keyOf(row), { row, isDeleted: true }, SOON);
  }

  private noted(key: Pick<PublicationEntity, 'zoneId' | 'server'>): Note | undefined {
    return this.writes.find(keyOf(key));
  }

  private async writeAll(notes: readonly Note[]): Promise<void> {
    const write = async (tx: Transaction): Promise<void> => {
      if (!(await this.lease.isHeldIn(tx))) return;
      await this.publications.write(
        tx,
        notes.flatMap((note) => (note.isDeleted ? [] : [note.row])),
      );
      await this.publications.delete(
        tx,
        notes.flatMap((note) => (note.isDeleted ? [note.row] : [])),
      );
      await this.progress.record(tx, zonesWithNews(notes));
    };
    await this.unitOfWork.run(write, SCOPE);
  }
}

type Note =
  | { readonly row: PublicationEntity; readonly hasNews: boolean; readonly isDeleted: false }
  | { readonly row: Pick<PublicationEntity, 'zoneId' | 'server'>; readonly isDeleted: true };

/** Of which zones a server has answered something new, in one order for all processes. */
function zonesWithNews(notes: readonly Note[]): string[] {
  const ids = notes.flatMap((note) =>
    !note.isDeleted && note.hasNews && note.row.serial !== null ? note.row.zoneId : [],
  );
  return [...new Set(ids)].sort();
}

function keyOf({ zoneId, server }: Pick<PublicationEntity, 'zoneId' | 'server'>): string {
  return `${zoneId} ${server}`;
}
