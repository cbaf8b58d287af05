import type { Scheduler } from '../../background/scheduler.js';
import type { FailureMessages } from '../../background/background-task.js';
import { GatheredWrites } from '../../background/gathered-writes.js';
import { groupedBy } from '../../common/grouped.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { LISTENERS_SCOPE } from './listener.repository.js';
import type { ListenerPositionRepository } from './listener-position.repository.js';
import type { ShardRepository } from './shard.repository.js';
import { shardOf } from './shards.js';

/** Positions are written together so long after the first of them, in milliseconds. */
const GATHERED = 200;

interface PositionStores {
  readonly positions: ListenerPositionRepository;
  readonly shardRows: ShardRepository;
  readonly unitOfWork: UnitOfWork;
}

interface Position {
  readonly listener: string;
  readonly zoneId: string;
  readonly number: number;
}

/** Writes how far listeners have come: many zones in one commit, and only those that this process has. */
export class PositionWriter {
  private readonly writes: GatheredWrites<Position>;

  /** @param holder the name of this process in the rows of shards */
  constructor(
    private readonly stores: PositionStores,
    private readonly holder: string,
    background: Scheduler,
    failureMessages: FailureMessages,
  ) {
    const declaration = { name: 'listeners.positions', failureMessages };
    this.writes = new GatheredWrites(background, declaration, (notes) => this.writeAll([...notes.values()]));
  }

  /** What is not in the database yet; `undefined` where that has the latest. */
  find(listener: string, zoneId: string): number | undefined {
    return this.writes.find(keyOf(listener, zoneId))?.number;
  }

  note(position: Position): void {
    this.writes.note(keyOf(position.listener, position.zoneId), position, GATHERED);
  }

  /** Writes what is pending at once. It never fails: what could not be written is tried again. */
  flush(): Promise<void> {
    return this.writes.flush();
  }

  private async writeAll(all: readonly Position[]): Promise<void> {
    const { positions, shardRows, unitOfWork } = this.stores;
    const write = async (tx: Transaction): Promise<void> => {
      for (const [listener, noted] of groupedBy(all, (position) => position.listener)) {
        const held = await shardRows.heldBy(tx, listener, this.holder);
        const own = noted.filter(({ zoneId }) => held.has(shardOf(zoneId)));
        await positions.write(
          tx,
          listener,
          own.map(({ zoneId, number }) => [zoneId, number]),
        );
      }
    };
    await unitOfWork.run(write, LISTENERS_SCOPE);
  }
}

function keyOf(listener: string, zoneId: string): string {
  return `${listener} ${zoneId}`;
}
