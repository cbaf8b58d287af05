import type { PostgresClient } from '../postgres/postgres-client.js';
import { FOLLOWED_TIMELINE, WRITTEN_TIMELINE } from './timeline.js';

/** What a server says of itself. */
export interface ReplayState {
  /** Cluster, database and schema: a standby has those of the primary. */
  readonly database: string;
  readonly isStandby: boolean;
  /** The latest that it is known to be on. */
  readonly timeline: number;
  /** How far it has replayed what the primary has written, or has written itself once it is one. */
  readonly replayed: bigint;
}

/** In milliseconds. */
const TIME_LIMIT = 2000;
/** Copies of a server have its number, and the ids of what is in it. */
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
  const { rows } = await client.query({ text: STATE, values: [], query_timeout: TIME_LIMIT });
  const [{ replayed, ...state }] = rows as [ReplayRow];
  return { ...state, replayed: BigInt(replayed) };
}
