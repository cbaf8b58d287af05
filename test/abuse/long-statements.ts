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
 * Full reads of the large tables. Zone upkeep reads them a dozen times meanwhile; a list that reads them for each chunk
 * exceeds thirty.
 */
const MOST_WHOLE_READS = 25;

/** Environment variables of the service process. */
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
 * Fails the test for slow SQLite statements and for repeated full scans of large PostgreSQL tables. Neither depends on
 * the load of the machine.
 * @param rows the row count of the large tables
 */
export async function whileStatementsAreShort(target: Target, rows: number, work: () => Promise<void>): Promise<void> {
  const { database } = target;
  if (!isPostgresUrl(database)) {
    // Statements at startup do not belong to requests.
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
  // Background work reads listener positions and missing clients; both tables are small.
  const sql =
    'SELECT relname AS table, seq_tup_read AS rows FROM pg_stat_user_tables' +
    " WHERE relname NOT IN ('listener_places', 'service_statuses')";
  return new Map((queryPostgres(database, sql) as TableRead[]).map(({ table, rows }) => [table, Number(rows)]));
}
