import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { queryPostgres } from '../support/postgres/databases.js';
import { isPostgresUrl } from '../support/stored.js';
import type { Target } from './attack.js';
import { inForm } from './form.js';

/** In the directory of the service. */
const STATEMENTS_FILE = 'longest-statements.jsonl';
/** In milliseconds of the processor: no statement of a request holds the event loop for longer. The short form has less to read. */
const LONGEST_STATEMENT = inForm(15, 50);
/**
 * As often as the large tables have rows. What looks after zones reads all of them a dozen times meanwhile; a list that does so
 * for each portion comes to more than thirty.
 */
const MOST_WHOLE_READS = 25;

/** What the process of the service needs in its environment. */
export const WATCHED = {
  LONGEST_STATEMENTS: STATEMENTS_FILE,
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'statement-watch.js')).href}`,
};

interface LongStatement {
  /** When it ended, in milliseconds since 1970. */
  readonly at: number;
  readonly took: number;
  readonly sql: string;
}

interface TableRead {
  readonly table: string;
  readonly rows: string;
}

/**
 * Has the test fail for a statement of SQLite that took long, and for tables that PostgreSQL has read from end to end again
 * and again. Neither depends on what else the machine has to do.
 * @param rows that the large tables have
 */
export async function whileStatementsAreShort(target: Target, rows: number, work: () => Promise<void>): Promise<void> {
  const { database } = target;
  if (!isPostgresUrl(database)) {
    // What is done at the start is no request.
    const begun = Date.now();
    await work();
    expectShort(target, begun);
    return;
  }
  const before = readByTable(database);
  await work();
  const whole = [...readByTable(database)].map(
    ([table, read]) => [table, (read - (before.get(table) ?? 0)) / rows] as const,
  );
  target.note({ wholeReads: Object.fromEntries(whole.filter(([, times]) => times >= 1)) });
  for (const [table, times] of whole)
    target.must(times < MOST_WHOLE_READS, `${table} was read from end to end ${Math.round(times)} times`);
}

function expectShort({ directory, note, must }: Target, begun: number): void {
  const file = join(directory, STATEMENTS_FILE);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const statements = lines.map((line) => JSON.parse(line) as LongStatement).filter(({ at }) => at >= begun);
  statements.sort((one, other) => other.took - one.took);
  note({ longestStatements: statements.slice(0, 3) });
  for (const { took, sql } of statements.slice(0, 3))
    must(took <= LONGEST_STATEMENT, `a statement held the event loop for ${Math.round(took)} ms: ${sql}`);
}

function readByTable(database: string): ReadonlyMap<string, number> {
  // What listeners have seen, and who has not been heard of, is read in the background; a service has few of either.
  const sql =
    'SELECT relname AS table, seq_tup_read AS rows FROM pg_stat_user_tables' +
    " WHERE relname NOT IN ('listener_places', 'service_statuses')";
  return new Map((queryPostgres(database, sql) as TableRead[]).map(({ table, rows }) => [table, Number(rows)]));
}
