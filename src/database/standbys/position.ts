import { Coalescer } from '../../common/waiting/coalescer.js';
import { type NamedQuery, nameQuery, postgresClientOf, type PostgresClient } from '../postgres/postgres-client.js';
import type { Reads } from '../reads.js';

/** A standby that has replayed it shows everything acknowledged by then. */
export interface Position {
  /** Grows with each promotion: distinguishes servers at the same LSN. */
  readonly timeline: number;
  readonly lsn: bigint;
}

/** In milliseconds; a request waits for the answer. */
const TIME_LIMIT = 1000;

const WRITTEN_TIMELINE = "('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int";

/** Not the flush position: asynchronous commits are acknowledged before. */
const ASK: NamedQuery = nameQuery(
  `SELECT ${WRITTEN_TIMELINE} AS timeline,` +
    " pg_wal_lsn_diff(CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()" +
    " ELSE pg_current_wal_flush_lsn() END, '0/0')::text AS lsn",
);

interface Asked {
  readonly resolve: (position: Position | null) => void;
}

export interface PositionSource {
  readonly isAway: boolean;
  ask(): Promise<Position | null>;
}

/** Concurrent callers share a round trip, which begins after all of them have asked. */
export class PrimaryPosition implements PositionSource {
  private readonly questions = new Coalescer<Asked>((asked) => this.answer(asked), { atOnce: 2 });
  private isSilent = false;

  constructor(private readonly primary: Reads) {}

  get isAway(): boolean {
    return this.isSilent;
  }

  ask(): Promise<Position | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.settle(resolve, null), TIME_LIMIT);
      const settle = (position: Position | null): void => {
        clearTimeout(timer);
        this.settle(resolve, position);
      };
      this.questions.add({ resolve: settle });
    });
  }

  private settle(resolve: Asked['resolve'], position: Position | null): void {
    this.isSilent = position === null;
    resolve(position);
  }

  private async answer(asked: readonly Asked[]): Promise<void> {
    const position = await this.read().catch(() => null);
    for (const { resolve } of asked) resolve(position);
  }

  private read(): Promise<Position> {
    return this.primary.run(async (tx) => {
      const client = await postgresClientOf(tx);
      const { rows } = await client.query({ ...ASK, values: [], query_timeout: TIME_LIMIT });
      const [{ timeline, lsn }] = rows as [{ readonly timeline: number; readonly lsn: string }];
      return { timeline, lsn: BigInt(lsn) };
    });
  }
}

/** Only roles with `pg_read_all_stats` see the received timeline; others see it after the next restart point. */
export const FOLLOWED_TIMELINE =
  'GREATEST((SELECT timeline_id FROM pg_control_checkpoint()), (SELECT received_tli FROM pg_stat_wal_receiver))';

export interface ReplayState {
  /** Cluster, database and schema; equal on primary and standby. */
  readonly database: string;
  readonly isStandby: boolean;
  readonly timeline: number;
  /** Or the write position of a primary. */
  readonly replayed: bigint;
}

const REPLAY_STATE_TIME_LIMIT = 2000;
/** A physical copy shares the system identifier and the OIDs. */
const DATABASE =
  "concat_ws('/', (SELECT system_identifier FROM pg_control_system())," +
  ' (SELECT oid FROM pg_database WHERE datname = current_database()), current_schema()::regnamespace::oid)';
const POSITION = 'CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END';
const STATE =
  `SELECT ${DATABASE} AS database, pg_is_in_recovery() AS "isStandby",` +
  ` CASE WHEN pg_is_in_recovery() THEN ${FOLLOWED_TIMELINE} ELSE ${WRITTEN_TIMELINE} END AS timeline,` +
  ` COALESCE(pg_wal_lsn_diff(${POSITION}, '0/0'), 0)::text AS replayed`;

interface ReplayRow extends Omit<ReplayState, 'replayed'> {
  readonly replayed: string;
}

export async function replayStateOf(client: Pick<PostgresClient, 'query'>): Promise<ReplayState> {
  const { rows } = await client.query({ text: STATE, values: [], query_timeout: REPLAY_STATE_TIME_LIMIT });
  const [{ replayed, ...state }] = rows as [ReplayRow];
  return { ...state, replayed: BigInt(replayed) };
}
