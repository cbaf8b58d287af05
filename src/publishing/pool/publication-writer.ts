import { UnitOfWork, type WorkScope } from '../../database/unit-of-work.js';
import type { Lease } from '../../background/lease.js';
import type { PublicationEntity } from './publication.entity.js';
import type { PublicationRepository } from './publication.repository.js';

/** News are written together after so long; what only says that all is as it was waits longer. In milliseconds. */
const SOON = 20;
const LATER = 30_000;
/** A queue of its own on PostgreSQL: nobody who makes a zone waits for it. */
const SCOPE: WorkScope = { queue: 'publications', sharesConnections: true };

/** Writes what becomes known of name servers, many rows in one commit, and only while this process has the lease. */
export class PublicationWriter {
  private readonly pending = new Map<string, Pending>();
  private timer: NodeJS.Timeout | undefined;
  private dueAt = Infinity;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly publications: PublicationRepository,
    private readonly lease: Lease,
    private readonly unitOfWork: UnitOfWork,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** @param isNews whether somebody may be waiting for it */
  write(row: PublicationEntity, isNews: boolean): void {
    this.pending.set(keyOf(row), { row, isDeleted: false });
    this.schedule(isNews ? SOON : LATER);
  }

  delete(row: Pick<PublicationEntity, 'zoneId' | 'server'>): void {
    this.pending.set(keyOf(row), { row, isDeleted: true });
    this.schedule(SOON);
  }

  /** Writes what is pending at once. */
  async end(): Promise<void> {
    this.flush();
    await this.writing;
  }

  private schedule(delay: number): void {
    const at = performance.now() + delay;
    if (at >= this.dueAt) return;
    clearTimeout(this.timer);
    this.dueAt = at;
    this.timer = setTimeout(() => this.flush(), delay);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.dueAt = Infinity;
    this.writing = this.writing.then(() => this.writePending()).catch(this.onFailure);
  }

  private async writePending(): Promise<void> {
    const batch = [...this.pending];
    if (batch.length === 0 || !this.lease.isHeld) return;
    this.pending.clear();
    try {
      await this.unitOfWork.run(async (tx) => {
        if (!(await this.lease.isHeldIn(tx))) return;
        const pending = batch.map(([, one]) => one);
        await this.publications.write(
          tx,
          pending.flatMap((one) => (one.isDeleted ? [] : [one.row])),
        );
        await this.publications.delete(
          tx,
          pending.flatMap((one) => (one.isDeleted ? [one.row] : [])),
        );
      }, SCOPE);
    } catch (error) {
      for (const [key, one] of batch) if (!this.pending.has(key)) this.pending.set(key, one);
      this.schedule(1000);
      throw error;
    }
  }
}

type Pending =
  | { readonly row: PublicationEntity; readonly isDeleted: false }
  | { readonly row: Pick<PublicationEntity, 'zoneId' | 'server'>; readonly isDeleted: true };

function keyOf({ zoneId, server }: Pick<PublicationEntity, 'zoneId' | 'server'>): string {
  return `${zoneId} ${server}`;
}
