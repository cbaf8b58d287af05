import { forgetOwnerId, HeartbeatMonitor, newOwnerId, OWN_HEARTBEAT_TIMEOUT } from '../../background/heartbeat.js';
import type { Assembly, ShardRepository } from './shard.repository.js';

/** So many shares of the zones of each listener go round between processes. */
const SHARDS = 16;

/** What has a shard, and gives it up. */
export interface ShardUser {
  readonly name: string;
  /** Finishes what is under way in a shard that goes to another process. */
  leave(shard: number): Promise<void>;
}

/** The last hexadecimal digit of its id, which is random. */
export function shardOf(zoneId: string): number {
  const digit = Number.parseInt(zoneId.slice(-1), 16);
  return Number.isNaN(digit) ? 0 : digit;
}

/** Which zones this process is to give its listeners: it shares them with all processes that bring the same ones. */
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

  /** Whether this process gives the listener the changes of that zone at this moment. */
  holds(listener: string, zoneId: string): boolean {
    return this.holdsShard(listener, shardOf(zoneId));
  }

  /** Whether this process has any. */
  get areHeld(): boolean {
    return [...this.held.values()].some(({ size }) => size > 0);
  }

  /** Those listeners that fail in other processes. */
  get failingInOthers(): ReadonlySet<string> {
    return this.failingElsewhere;
  }

  /** Those that some living process brings. */
  get listenersOfAll(): ReadonlySet<string> {
    return this.allListeners;
  }

  /**
   * Says that this process lives, and takes or gives up shards until each process has its share.
   * @param failing names of the listeners that fail here
   * @returns whether it has taken any since it last returned
   * @throws ServiceError `unavailable`
   */
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

  /** Gives up all of it. */
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

  /** Those that live, by the names of the listeners that they bring. */
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
    const all = Array.from({ length: SHARDS }, (_, shard) => shard);
    const own = all.filter((shard) => holders.get(shard) === this.holder);
    const known = this.held.get(name);
    // The answer of the database to its taking may have got lost.
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

  /** What is under way there ends first, so that nothing is given twice. */
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

/** How many shards are this one's: all know the same order, so that the sum is right. */
function shareOf(among: readonly string[], holder: string): number {
  const rank = among.indexOf(holder);
  if (rank < 0) return 0;
  return Math.floor(SHARDS / among.length) + (rank < SHARDS % among.length ? 1 : 0);
}
