import { measureCommit } from '../commit-metrics.js';
import { isOfAborted, unavailable } from '../database-failure.js';
import { isRefusingChanges, recordAnswer, recordWritten } from '../database-fault.js';
import {
  discardIfBroken,
  nameQuery,
  type PostgresClient,
  type PostgresNotice,
  type PostgresResult,
  rollBackQuietly,
} from './postgres-client.js';
import { Pipeline } from './postgres-pipeline.js';
import { LOCK_TIMEOUT } from './postgres-session.js';
import type { Transaction } from '../transaction.js';

/** PostgreSQL's codes of warnings begin so. */
const WARNING_CLASS = '01';

/**
 * How long a connection waits for the row of a zone, in milliseconds: long enough for a change of records, and for a turn among
 * others who wait; whoever holds it for longer is waited for without a connection.
 */
const MOMENT = 150;
const BEGIN_BRIEFLY = `BEGIN; SET LOCAL lock_timeout = ${MOMENT}`;
const TAKE_ZONE = nameQuery('SELECT 1 FROM zones WHERE id = $1 FOR UPDATE');
const WAIT_LONGER = `SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`;

/** How a transaction begins. */
export interface Beginning {
  /** The zone whose row is taken first; `null`: none. */
  readonly zoneId: string | null;
  /**
   * The work begins with a statement that writes nothing, which goes along with BEGIN: were that refused, it would be carried
   * out alone.
   */
  readonly readsFirst: boolean;
}

export async function inTransaction<T>(
  client: PostgresClient,
  tx: Transaction,
  { zoneId, readsFirst }: Beginning,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const pipeline = Pipeline.begin(client, zoneId === null ? ['BEGIN'] : beginningWith(zoneId));
  try {
    if (!readsFirst) await pipeline.arrived();
    const result = await work(tx);
    tx.end();
    const hasWritten = isRefusingChanges() && (await wrote(pipeline));
    await commit(client, pipeline);
    recordAnswer();
    if (hasWritten) await recordWritten(null);
    return result;
  } catch (error) {
    tx.end();
    const cause = await causeOf(error, pipeline);
    if (!discardIfBroken(cause, client)) await rollBackQuietly(client);
    throw cause;
  } finally {
    pipeline.end();
  }
}

/** What was not waited for may be why PostgreSQL took nothing more, unless that was refused for something else as well. */
async function causeOf(error: unknown, pipeline: Pipeline): Promise<unknown> {
  try {
    await pipeline.arrived();
    return error;
  } catch (cause) {
    return isOfAborted(cause) ? error : cause;
  }
}

/** A transaction has a number once it has written something. */
async function wrote(pipeline: Pipeline): Promise<boolean> {
  const { rows } = await pipeline.ask('SELECT 1 WHERE txid_current_if_assigned() IS NOT NULL');
  return rows.length > 0;
}

function beginningWith(zoneId: string): Parameters<typeof Pipeline.begin>[1] {
  return [BEGIN_BRIEFLY, { ...TAKE_ZONE, values: [zoneId] }, WAIT_LONGER];
}

/**
 * PostgreSQL answers the COMMIT of a transaction that has failed inside with a silent ROLLBACK, and one that somebody has
 * stopped from waiting for a synchronous standby with a warning: the standby may not have it when it takes over. A warning of
 * the write that comes along counts as one: it cannot be told apart.
 */
async function commit(client: PostgresClient, pipeline: Pipeline): Promise<void> {
  const warnings: PostgresNotice[] = [];
  const note = (notice: PostgresNotice): void => {
    if (notice.code?.startsWith(WARNING_CLASS) === true) warnings.push(notice);
  };
  client.on('notice', note);
  const { command } = await answerToCommit(pipeline).finally(() => client.off('notice', note));
  if (command !== 'COMMIT') throw new Error(`the transaction ended in ${command}: an error inside was overlooked`);
  const [warning] = warnings;
  if (warning !== undefined) throw unavailable(new Error(`COMMIT came with a warning: ${warning.message}`));
}

/** The last write comes along, and is not what COMMIT takes. */
async function answerToCommit(pipeline: Pipeline): Promise<PostgresResult> {
  const answer = pipeline.ask('COMMIT');
  answer.catch(() => undefined);
  await pipeline.arrived();
  return measureCommit(() => answer);
}
