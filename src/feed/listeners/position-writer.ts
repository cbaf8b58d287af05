import { UnitOfWork } from '../../database/unit-of-work.js';
import { LISTENERS_SCOPE } from './listener.repository.js';
import type { ListenerPositionRepository } from './listener-position.repository.js';
import type { ShardRepository } from './shard.repository.js';
import { shardOf } from './shards.js';

/** Positions are written together so long after the first of them, and after a failure, in milliseconds. */
const GATHERED = 200;
const RETRY = 1000;

export interface PositionStores {
  readonly positions: ListenerPositionRepository;
  readonly shardRows: ShardRepository;
  readonly unitOfWork: UnitOfWork;
}

/** Writes how far one listener has come: many zones in one commit, and only those that this process has. */
export class PositionWriter {
  private pending = new Map<string, number>();
  private written = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly listener: string,
    private readonly holder: string,
    private readonly stores: PositionStores,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** What is not in the database yet; `undefined` where that has the latest. */
  find(zoneId: string): number | undefined {
    return this.pending.get(zoneId) ?? this.written.get(zoneId);
  }

  note(zoneId: string, number: number): void {
    this.pending.set(zoneId, number);
    this.timer ??= setTimeout(() => void this.flush(), GATHERED);
  }

  /** Writes what is pending at once. It never fails: what could not be written is tried again. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    return (this.writing = this.writing.then(() => this.write()));
  }

  /** The last attempt: what fails now is delivered again by whoever comes next. */
  async end(): Promise<void> {
    await this.flush();
    clearTimeout(this.timer);
  }

  private async write(): Promise<void> {
    if (this.pending.size === 0) return;
    this.written = this.pending;
    this.pending = new Map();
    const { positions, shardRows, unitOfWork } = this.stores;
    try {
      await unitOfWork.run(async (tx) => {
        const held = await shardRows.heldBy(tx, this.listener, this.holder);
        const own = [...this.written].filter(([zoneId]) => held.has(shardOf(zoneId)));
        await positions.write(tx, this.listener, own);
      }, LISTENERS_SCOPE);
    } catch (error) {
      this.pending = new Map([...this.written, ...this.pending]);
      this.timer ??= setTimeout(() => void this.flush(), RETRY);
      this.onFailure(error);
    }
    this.written = new Map();
  }
}
