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
import { type Position, FOLLOWED_TIMELINE } from './position.js';

/** In milliseconds; doubles each time. */
const FIRST_PAUSE = 1;
const LONGEST_PAUSE = 16;
/** In milliseconds; the caller can read from another server. */
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

export class NotReached extends Error {}

export class StandbySession {
  /** One address may lead to several servers. */
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

  /** `timeLimit` is in milliseconds. @throws NotReached */
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

  async end(error: unknown): Promise<void> {
    if (error === null || !discardIfUnfit(error, this.client)) await rollBackQuietly(this.client);
  }

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
