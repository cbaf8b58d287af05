import type { Background } from '../../background/background.js';
import type { Trouble } from '../../background/background-task.js';
import { GatheredWrites } from '../../background/gathered-writes.js';
import type { Lease } from '../../background/lease.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork, type WorkScope } from '../../database/unit-of-work.js';
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
    background: Background,
    private readonly lease: Lease,
    trouble: Trouble,
  ) {
    const declaration = { name: 'publishing.results', lease, trouble };
    this.writes = new GatheredWrites(background, declaration, (notes) => this.writeAll([...notes.values()]));
  }

  /** What is not in the database yet. */
  find(zoneId: string, server: string): PublicationEntity | undefined {
    const note = this.writes.find(keyOf({ zoneId, server }));
    return note === undefined || note.isDeleted ? undefined : note.row;
  }

  /** @param isNews whether somebody may be waiting for it */
  write(row: PublicationEntity, isNews: boolean): void {
    this.writes.note(keyOf(row), { row, isDeleted: false }, isNews ? SOON : LATER);
  }

  delete(row: Pick<PublicationEntity, 'zoneId' | 'server'>): void {
    this.writes.note(keyOf(row), { row, isDeleted: true }, SOON);
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
    };
    await this.unitOfWork.run(write, SCOPE);
  }
}

type Note =
  | { readonly row: PublicationEntity; readonly isDeleted: false }
  | { readonly row: Pick<PublicationEntity, 'zoneId' | 'server'>; readonly isDeleted: true };

function keyOf({ zoneId, server }: Pick<PublicationEntity, 'zoneId' | 'server'>): string {
  return `${zoneId} ${server}`;
}
