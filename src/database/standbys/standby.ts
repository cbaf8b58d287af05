import { DataSource, type DataSourceOptions } from 'typeorm';
import { causeOf } from '../../common/service-error.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { endsSession } from '../database-failure.js';
import type { PostgresClient } from '../postgres/postgres-client.js';
import { parseServerList, writeAddress } from '../postgres/server-list.js';
import { type Position, type ReplayState, replayStateOf } from './position.js';
import { NotReached, StandbySession } from './standby-session.js';

/** Only a standby in the state `read` is used. */
export type StandbyState =
  'unknown' | 'read' | 'behind' | 'unreachable' | 'refusing' | 'promoted' | 'diverged' | 'foreign';

/** Short reads, and long reads of one snapshot. */
export type StandbyPool = 'reads' | 'streams';

type PostgresOptions = DataSourceOptions & { readonly type: 'postgres' };

const STREAMS = 3;
const WATCH = 1;
/** In milliseconds; the caller can read from another server. */
const CONNECT_TIMEOUT = 1000;

interface Pools extends Record<StandbyPool, DataSource> {
  readonly watch: DataSource;
}

interface WantedStandby {
  /** `ReplayState.database` */
  readonly database: string;
  /** In milliseconds. */
  readonly maxStaleness: number;
  /** Reads a promoted standby if there are no other servers. */
  readonly survivesPromotion: boolean;
}

export class Standby {
  readonly label: string;
  state: StandbyState = 'unknown';
  problem = 'has not been looked at';
  /** In milliseconds, at the last check; `null` if unknown. */
  lag: number | null = null;
  replayed = 0n;
  timeline = 0;
  private pools: Pools | null = null;
  private behindSince: number | null = null;
  private hasBeenRead = false;
  private readonly inUse = new Set<PostgresClient>();
  private readonly warning = new ThrottledLogger();

  constructor(
    private readonly options: PostgresOptions,
    private readonly wanted: WantedStandby,
  ) {
    this.label = labelOf(options.url ?? '');
  }

  async take(pool: StandbyPool): Promise<StandbySession> {
    const { pools } = this;
    if (pools === null) throw new Error('a standby is looked at before it is read');
    const session = await StandbySession.open(pools[pool].createQueryRunner());
    this.inUse.add(session.client);
    return session;
  }

  async give(session: StandbySession, error: unknown = null): Promise<void> {
    this.inUse.delete(session.client);
    await session.close(error);
  }

  /** It is checked again before its next use. */
  markBehind(): void {
    this.behindSince ??= performance.now() - this.wanted.maxStaleness;
    this.lag = performance.now() - this.behindSince;
    this.note('behind', `is more than ${this.wanted.maxStaleness} ms behind`);
  }

  /** Current readers fail immediately, and use another server. */
  markLost(error: unknown): void {
    this.lag = null;
    if (endsSession(error)) this.note('unreachable', `does not answer (${causeOf(error)})`);
    else this.note('refusing', `refuses (${causeOf(error)})`);
    for (const client of this.inUse) void client.end();
  }

  /** @param position of the primary; `null` if it does not answer */
  async look(position: Position | null): Promise<void> {
    try {
      await this.judge(position);
    } catch (error) {
      this.markLost(error);
    }
  }

  async close(): Promise<void> {
    const { pools } = this;
    this.pools = null;
    this.state = 'unknown';
    for (const client of this.inUse) void client.end();
    if (pools !== null) await Promise.all(Object.values(pools).map((source: DataSource) => source.destroy()));
  }

  private async judge(position: Position | null): Promise<void> {
    this.pools ??= await openPools({ ...this.options, connectTimeoutMS: CONNECT_TIMEOUT });
    const session = await StandbySession.open(this.pools.watch.createQueryRunner());
    let failure: unknown = null;
    try {
      const state = await replayStateOf(session.client);
      this.replayed = state.replayed;
      this.timeline = state.timeline;
      const fault = this.faultOf(state, position);
      if (fault !== null) this.note(...fault);
      else if (position === null) this.markRead();
      else await this.measure(session, position);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      await session.close(failure);
    }
  }

  private faultOf(state: ReplayState, position: Position | null): readonly [StandbyState, string] | null {
    const { database, survivesPromotion } = this.wanted;
    if (state.database !== database) return ['foreign', 'follows another database'];
    if (!state.isStandby && !(survivesPromotion && this.hasBeenRead)) return ['promoted', 'is a primary'];
    if (position !== null && state.timeline !== position.timeline)
      return ['diverged', `does not follow the primary yet (timeline ${state.timeline}, not ${position.timeline})`];
    return null;
  }

  private async measure(session: StandbySession, position: Position): Promise<void> {
    const since = performance.now();
    try {
      await session.reach(position, this.wanted.maxStaleness);
      this.behindSince = null;
      this.lag = performance.now() - since;
      this.markRead();
    } catch (error) {
      if (!(error instanceof NotReached)) throw error;
      this.behindSince ??= since;
      this.markBehind();
    }
  }

  private markRead(): void {
    this.state = 'read';
    this.hasBeenRead = true;
    this.warning.over(`The standby ${this.label} is read again.`);
  }

  private note(state: StandbyState, why: string): void {
    this.state = state;
    this.problem = why;
    this.warning.warn(`The standby ${this.label} is not read: it ${why}. Others are read meanwhile, or the primary.`);
  }
}

async function openPools(options: PostgresOptions): Promise<Pools> {
  const watch = await new DataSource({ ...options, poolSize: WATCH }).initialize();
  try {
    const reads = await new DataSource(options).initialize();
    const streams = await new DataSource({ ...options, poolSize: STREAMS }).initialize();
    return { watch, reads, streams };
  } catch (error) {
    await watch.destroy();
    throw error;
  }
}

function labelOf(url: string): string {
  return parseServerList(url).servers.map(writeAddress).join();
}
