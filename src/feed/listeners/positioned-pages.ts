import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import type { Reads } from '../../database/reads.js';
import type { ChangeEntries, EntryPage } from './change-entries.repository.js';
import type { ListenerPositionRepository } from './listener-position.repository.js';
import type { PositionWriter } from './position-writer.js';

/** For how long pages are read without a turn of others, in milliseconds. */
const LONGEST_TURN = 2;

export interface PositionedPage extends EntryPage {
  /** How far the listener had come. */
  readonly position: number;
}

export interface PageMeans {
  readonly entries: ChangeEntries;
  readonly positions: ListenerPositionRepository;
  readonly writer: PositionWriter;
  readonly reads: Reads;
  readonly onFailure: (error: unknown) => void;
}

/** Reads what a listener has not had yet. */
export class PositionedPages {
  private restedAt = -Infinity;

  constructor(
    private readonly listener: string,
    private readonly means: PageMeans,
  ) {}

  /** Reading is synchronous on SQLite: others get their turn now and then. */
  async rest(): Promise<void> {
    if (performance.now() - this.restedAt < LONGEST_TURN) return;
    await nextTurn();
    this.restedAt = performance.now();
  }

  /** The next page of the zone; `null` where the database gives none now. */
  async next(zoneId: string): Promise<PositionedPage | null> {
    const { reads, entries, positions, writer, onFailure } = this.means;
    try {
      return await reads.run(async (tx) => {
        const position = writer.find(this.listener, zoneId) ?? (await positions.find(tx, this.listener, zoneId));
        return { position, ...(await entries.page(tx, zoneId, position)) };
      });
    } catch (error) {
      onFailure(error);
      return null;
    }
  }
}
