import { setTimeout as delay } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';
import {
  clientOf,
  discardIfUnfit,
  nameQuery,
  type PostgresClient,
  rollBackQuietly,
} from '../postgres/postgres-client.js';
import { Transaction } from '../transaction.js';
import type { Position } from './position.js';
import { FOLLOWED_TIMELINE } from './timeline.js';

/** How soon it is asked again how far the standby is, in milliseconds; twice as much with each time. */
const FIRST_PAUSE = 1;
const LONGEST_PAUSE = 16;
/** Whoever waits can as well read from another server; in milliseconds. */
const ANSWER_TIMEOUT = 2000;

const REPLAYED = nameQuery(
  `SELECT pg_is_in_recovery() AS "isStandby", ${FOLLOWED_TIMELINE} AS timeline,` +
    " pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text AS lsn",
);

interface ReplayedRow {
  readonly isStandby: boolean;
  readonly timeline: number;
  readonly lsn: string | null;
}

/** The standby has not replayed in time what the primary had, or is none any more. */
export class NotReached extends Error {}

/** A connection to a standby, for one read. */
export class StandbySession {
  /** How far the server of a connection is known to be; behind one address there may be several. */
  private static readonly reached = new WeakMap<PostgresClient, Position>();

  private constructor(
    private readonly runner: QueryRunner,
    readonly client: PostgresClient,
  ) {}

  static async open(runner: QueryRunner): Promise<StandbySession> {
    return new StandbySession(runner, await clientOf(runner));
  }

  get tx(): Transaction {
    return new Transaction(this.runner.manager);
  }

  /**
   * Resolves when what the standby shows is as new as that.
   * @param timeLimit in milliseconds
   * @throws NotReached
   */
  async reach({ timeline, lsn }: Position, timeLimit: number): Promise<void> {
    const end = performance.now() + timeLimit;
    const known = StandbySession.reached.get(this.client);
    if (known?.timeline === timeline && known.lsn >= lsn) return;
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const replayed = await this.replayed();
      if (replayed.timeline !== timeline) throw new NotReached('positions of two timelines do not compare');
      if (replayed.lsn >= lsn) return;
      const left = end - performance.now();
      if (left <= 0) throw new NotReached(`the standby has replayed ${replayed.lsn} of ${lsn}`);
      await delay(Math.min(pause, left));
    }
  }

  /** Ends a transaction. */
  async end(error: unknown): Promise<void> {
    if (error === null || !discardIfUnfit(error, this.client)) await rollBackQuietly(this.client);
  }

  /** @param error what the read has failed for; `null`: it was done */
  async close(error: unknown): Promise<void> {
    if (error !== null) discardIfUnfit(error, this.client);
    await this.runner.release();
  }

  private async replayed(): Promise<Position> {
    const { rows } = await this.client.query({ ...REPLAYED, values: [], query_timeout: ANSWER_TIMEOUT });
    const [{ isStandby, timeline, lsn }] = rows as [ReplayedRow];
    if (!isStandby || lsn === null) throw new NotReached('the server is a standby no more');
    const position = { timeline, lsn: BigInt(lsn) };
    StandbySession.reached.set(this.client, position);
    return position;
  }
}
