import { forgetOwnerId, HeartbeatMonitor, newOwnerId, OWN_HEARTBEAT_TIMEOUT } from '../../background/heartbeat.js';
import { Injectable } from '@nestjs/common';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { ListenerProcessEntity, ShardEntity } from './listener.entity.js';
import { LISTENERS_SCOPE } from './listener.repository.js';

const SHARD_COUNT = 16;

export interface ShardUser {
  readonly name: string;
  /** Finishes the work in a shard that moves to another process. */
  leave(shard: number): Promise<void>;
}

/** The last hexadecimal digit of the random ID. */
export function shardOf(zoneId: string): number {
  const digit = Number.parseInt(zoneId.slice(-1), 16);
  return Number.isNaN(digit) ? 0 : digit;
}

/** Distributes zones among the processes that run the same listeners. */
export class Shards {
  readonly holder = newOwnerId();
  private readonly held = new Map<string, Set<number>>();
  private readonly leaving = new Set<string>();
  private readonly watch = new HeartbeatMonitor(this.holder);
  private readonly failingElsewhere = new Set<string>();
  private allListeners = new Set<string>();
  private beatAt = -Infinity;
  private hasTaken = false;
  private readonly users: ShardUser[] = [];

  constructor(
    private readonly shards: ShardRepository,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  add(user: ShardUser): void {
    this.users.push(user);
  }

  holds(listener: string, zoneId: string): boolean {
    return this.holdsShard(listener, shardOf(zoneId));
  }

  get areHeld(): boolean {
    return [...this.held.values()].some(({ size }) => size > 0);
  }

  get failingInOthers(): ReadonlySet<string> {
    return this.failingElsewhere;
  }

  get listenersOfAll(): ReadonlySet<string> {
    return this.allListeners;
  }

  /** Sends a heartbeat, and balances shards. Returns whether it has taken shards since the last call. */
  async keep(failing: readonly string[]): Promise<boolean> {
    const begun = performance.now();
    const names = this.users.map(({ name }) => name);
    const { holder } = this;
    await this.shards.beat({ holder, listeners: JSON.stringify(names), failing: JSON.stringify(failing) });
    const assembly = await this.shards.assembly();
    this.beatAt = begun;
    const living = await this.livingOf(assembly, begun);
    this.allListeners = new Set(living.flatMap(({ listeners }) => [...listeners]));
    for (const user of this.users) await this.settle(user, assembly, living);
    const { hasTaken } = this;
    this.hasTaken = false;
    return hasTaken;
  }

  async end(): Promise<void> {
    this.held.clear();
    forgetOwnerId(this.holder);
    if (this.beatAt > -Infinity) await this.shards.leave(this.holder);
  }

  private holdsShard(listener: string, shard: number): boolean {
    if (performance.now() - this.beatAt > OWN_HEARTBEAT_TIMEOUT) return false;
    return (
      this.held.get(listener)?.has(shard) === true &&
      (this.leaving.size === 0 || !this.leaving.has(`${listener} ${shard}`))
    );
  }

  private async livingOf({ processes }: Assembly, now: number): Promise<readonly Living[]> {
    this.failingElsewhere.clear();
    const found = processes.map(({ holder, renewals }) => ({ key: holder, renewals }));
    const dead = this.watch.deadAmong(found, now);
    const living: Living[] = [];
    for (const process of processes) {
      const { holder, listeners, failing } = process;
      if (dead.has(holder)) {
        await this.shards.removeDead(process);
        continue;
      }
      // Written by `keep`.
      living.push({ holder, listeners: new Set(JSON.parse(listeners) as string[]) });
      if (holder !== this.holder) for (const name of JSON.parse(failing) as string[]) this.failingElsewhere.add(name);
    }
    return living;
  }

  private async settle(user: ShardUser, { shards }: Assembly, living: readonly Living[]): Promise<void> {
    const { name } = user;
    const among = living.filter(({ listeners }) => listeners.has(name)).map(({ holder }) => holder);
    const share = shareOf(among, this.holder);
    const holders = new Map(shards.filter(({ listener }) => listener === name).map((row) => [row.shard, row.holder]));
    const all = Array.from({ length: SHARD_COUNT }, (_, shard) => shard);
    const own = all.filter((shard) => holders.get(shard) === this.holder);
    const known = this.held.get(name);
    // The response to an earlier `take` may have got lost.
    if (own.some((shard) => known?.has(shard) !== true)) this.hasTaken = true;
    this.held.set(name, new Set(own));
    for (const shard of own.slice(share)) void this.giveUp(user, shard);
    const free = all.filter((shard) => !among.includes(holders.get(shard) ?? ''));
    for (const shard of free.slice(0, Math.max(0, share - own.length))) {
      const found = holders.get(shard) ?? '';
      if (!(await this.shards.take({ listener: name, shard, holder: this.holder }, found))) continue;
      this.held.get(name)?.add(shard);
      this.hasTaken = true;
    }
  }

  /** Finishes work in the shard first, so that nothing is delivered twice. */
  private async giveUp(user: ShardUser, shard: number): Promise<void> {
    const key = `${user.name} ${shard}`;
    if (this.leaving.has(key)) return;
    this.leaving.add(key);
    try {
      await user.leave(shard);
      await this.shards.release({ listener: user.name, shard, holder: this.holder });
      this.held.get(user.name)?.delete(shard);
    } catch (error) {
      this.onFailure(error);
    } finally {
      this.leaving.delete(key);
    }
  }
}

interface Living {
  readonly holder: string;
  readonly listeners: ReadonlySet<string>;
}

/** Returns the number of shards of this process. All processes use the same order, so the shares add up. */
function shareOf(among: readonly string[], holder: string): number {
  const rank = among.indexOf(holder);
  if (rank < 0) return 0;
  return Math.floor(SHARD_COUNT / among.length) + (rank < SHARD_COUNT % among.length ? 1 : 0);
}

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

interface Assembly {
  readonly processes: readonly ListenerProcessEntity[];
  readonly shards: readonly ShardEntity[];
}

@Injectable()
export class ShardRepository {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  beat({ holder, listeners, failing }: Omit<ListenerProcessEntity, 'renewals'>): Promise<void> {
    return this.write((tx) => BEAT.run(tx, [holder, listeners, failing]));
  }

  assembly(): Promise<Assembly> {
    return this.reads.run(async (tx) => ({
      processes: await PROCESSES.rows(tx, []),
      shards: await SHARDS.rows(tx, []),
    }));
  }

  /** Takes a shard unless another process has taken it since. Returns whether it succeeded. */
  take({ listener, shard, holder }: ShardEntity, found: string): Promise<boolean> {
    return this.write(async (tx) => (await TAKE.first(tx, [listener, shard, holder, found])) !== undefined);
  }

  release({ listener, shard, holder }: ShardEntity): Promise<void> {
    return this.write((tx) => RELEASE.run(tx, [listener, shard, holder]));
  }

  /** Releases all shards and removes the process. */
  leave(holder: string): Promise<void> {
    return this.write(async (tx) => {
      await RELEASE_ALL.run(tx, [holder]);
      await LEAVE.run(tx, [holder]);
    });
  }

  /** Removes a dead process unless it has sent a heartbeat since. */
  removeDead({ holder, renewals }: Pick<ListenerProcessEntity, 'holder' | 'renewals'>): Promise<void> {
    return this.write((tx) => REMOVE_DEAD.run(tx, [holder, renewals]));
  }

  /** Returns the shards of the process, locked until the end of the transaction. */
  async heldBy(tx: Transaction, listener: string, holder: string): Promise<ReadonlySet<number>> {
    return new Set((await FIND_AND_HOLD.rows(tx, [listener, holder])).map(({ shard }) => shard));
  }

  private write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(work, LISTENERS_SCOPE);
  }
}
