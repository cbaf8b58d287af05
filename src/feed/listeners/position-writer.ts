import type { Scheduler } from '../../background/scheduler.js';
import type { FailureMessages } from '../../background/background-task.js';
import { GatheredWrites } from '../../background/gathered-writes.js';
import { groupedBy } from '../../common/grouped.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { LISTENERS_SCOPE } from './listener.repository.js';
import type { ListenerPositionRepository } from './listener-position.repository.js';
import type { ListenerPositionEntity } from './listener.entity.js';
import { type ShardRepository, shardOf } from './shards.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import type { Reads } from '../../database/reads.js';
import type { ChangeEntries, EntryPage } from './change-entries.repository.js';

/** Write delay of positions, in milliseconds. */
const GATHERED = 200;

interface PositionStores {
  readonly positions: ListenerPositionRepository;
  readonly shardRows: ShardRepository;
  readonly unitOfWork: UnitOfWork;
}

/** Writes positions of listeners, many zones per commit, only for shards of this process. */
export class PositionWriter {
  private readonly writes: GatheredWrites<ListenerPositionEntity>;

  /** @param holder name of this process in shard rows */
  constructor(
    private readonly stores: PositionStores,
    private readonly holder: string,
    failureMessages: FailureMessages,
  ) {
    const declaration = { name: 'listeners.positions', failureMessages };
    this.writes = new GatheredWrites(declaration, (notes) => this.writeAll([...notes.values()]));
  }

  addTasks(scheduler: Scheduler): void {
    this.writes.addTasks(scheduler);
  }

  /** Returns an unwritten position. */
  find(listener: string, zoneId: string): number | undefined {
    return this.writes.find(keyOf(listener, zoneId))?.number;
  }

  note(position: ListenerPositionEntity): void {
    this.writes.note(keyOf(position.listener, position.zoneId), position, GATHERED);
  }

  /** Writes pending positions. Never rejects: failed writes are retried. */
  flush(): Promise<void> {
    return this.writes.flush();
  }

  private async writeAll(all: readonly ListenerPositionEntity[]): Promise<void> {
    const { positions, shardRows, unitOfWork } = this.stores;
    const write = async (tx: Transaction): Promise<void> => {
      for (const [listener, noted] of groupedBy(all, (position) => position.listener)) {
        const held = await shardRows.heldBy(tx, listener, this.holder);
        const own = noted.filter(({ zoneId }) => held.has(shardOf(zoneId)));
        await positions.write(tx, own);
      }
    };
    await unitOfWork.run(write, LISTENERS_SCOPE);
  }
}

function keyOf(listener: string, zoneId: string): string {
  return `${listener} ${zoneId}`;
}

/** Maximum time of reads per event loop turn, in milliseconds. */
const LONGEST_TURN = 2;

export interface PositionedPage extends EntryPage {
  readonly position: number;
}

export interface PageMeans {
  readonly entries: ChangeEntries;
  readonly positions: ListenerPositionRepository;
  readonly writer: PositionWriter;
  readonly reads: Reads;
  readonly onFailure: (error: unknown) => void;
}

export class PositionedPages {
  private restedAt = -Infinity;

  constructor(
    private readonly listener: string,
    private readonly means: PageMeans,
  ) {}

  /** SQLite reads block the event loop, so other work gets a turn. */
  async rest(): Promise<void> {
    if (performance.now() - this.restedAt < LONGEST_TURN) return;
    await nextTurn();
    this.restedAt = performance.now();
  }

  /** Returns the next page of the zone; `null` after a database failure. */
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
