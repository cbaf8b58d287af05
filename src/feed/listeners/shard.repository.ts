import { Injectable } from '@nestjs/common';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { ListenerProcessEntity } from './listener-process.entity.js';
import { LISTENERS_SCOPE } from './listener.repository.js';
import type { ShardEntity } from './shard.entity.js';

const BEAT = new Statement(
  'INSERT INTO listener_processes (holder, listeners, failing, renewals) VALUES (?, ?, ?, 1) ON CONFLICT (holder)' +
    ' DO UPDATE SET failing = excluded.failing, renewals = listener_processes.renewals + 1',
);
const PROCESSES = new Statement<ListenerProcessEntity>(
  'SELECT holder, listeners, failing, renewals FROM listener_processes ORDER BY holder',
);
const SHARDS = new Statement<ShardEntity>('SELECT listener, shard, holder FROM listener_shards');
const REMOVE_DEAD = new Statement('DELETE FROM listener_processes WHERE holder = ? AND renewals = ?');
const TAKE = new Statement<{ shard: number }>(
  'INSERT INTO listener_shards (listener, shard, holder) VALUES (?, ?, ?) ON CONFLICT (listener, shard) DO UPDATE' +
    ' SET holder = excluded.holder WHERE listener_shards.holder = ? RETURNING shard',
);
const RELEASE = new Statement("UPDATE listener_shards SET holder = '' WHERE listener = ? AND shard = ? AND holder = ?");
const RELEASE_ALL = new Statement("UPDATE listener_shards SET holder = '' WHERE holder = ?");
const LEAVE = new Statement('DELETE FROM listener_processes WHERE holder = ?');
const HELD = 'SELECT shard FROM listener_shards WHERE listener = ? AND holder = ?';
const FIND_AND_HOLD = new Statement<{ shard: number }>(HELD, `${HELD} ORDER BY shard FOR SHARE`);

/** What all processes know of each other. */
export interface Assembly {
  readonly processes: readonly ListenerProcessEntity[];
  readonly shards: readonly ShardEntity[];
}

/** Which process has which shard of a listener. */
@Injectable()
export class ShardRepository {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Says that the process lives. */
  beat({ holder, listeners, failing }: Omit<ListenerProcessEntity, 'renewals'>): Promise<void> {
    return this.write((tx) => BEAT.run(tx, [holder, listeners, failing]));
  }

  assembly(): Promise<Assembly> {
    return this.reads.run(async (tx) => ({
      processes: await PROCESSES.rows(tx, []),
      shards: await SHARDS.rows(tx, []),
    }));
  }

  /** Takes a shard unless somebody has done so since it was found. Returns whether it could. */
  take({ listener, shard, holder }: ShardEntity, found: string): Promise<boolean> {
    return this.write(async (tx) => (await TAKE.first(tx, [listener, shard, holder, found])) !== undefined);
  }

  release({ listener, shard, holder }: ShardEntity): Promise<void> {
    return this.write((tx) => RELEASE.run(tx, [listener, shard, holder]));
  }

  /** The process gives up all that it has, and is no longer waited for. */
  leave(holder: string): Promise<void> {
    return this.write(async (tx) => {
      await RELEASE_ALL.run(tx, [holder]);
      await LEAVE.run(tx, [holder]);
    });
  }

  /** Removes a process that has died, unless it has been heard of since. */
  removeDead({ holder, renewals }: Pick<ListenerProcessEntity, 'holder' | 'renewals'>): Promise<void> {
    return this.write((tx) => REMOVE_DEAD.run(tx, [holder, renewals]));
  }

  /** Which shards the process has, which stays so until the transaction ends. */
  async heldBy(tx: Transaction, listener: string, holder: string): Promise<ReadonlySet<number>> {
    return new Set((await FIND_AND_HOLD.rows(tx, [listener, holder])).map(({ shard }) => shard));
  }

  private write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(work, LISTENERS_SCOPE);
  }
}
