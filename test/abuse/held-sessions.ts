import { setTimeout as delay } from 'node:timers/promises';
import { queryPostgres } from '../support/postgres/databases.js';
import type { Target } from './attack.js';

/** How often sessions are looked at, in milliseconds. */
const EVERY = 20;

/** Blocked sessions: waiting for a zone row lock, or slowed down in their write (held.ts). */
const SESSIONS = `
  SELECT COUNT(*) FILTER (WHERE wait_event_type = 'Lock' AND query LIKE '%FROM zones WHERE id = $1 FOR UPDATE%') AS waiting,
    COUNT(*) FILTER (WHERE wait_event = 'PgSleep') AS writing
  FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'zonewright'`;

/** How many connections changes of one tenant may have at most (postgres-unit-of-work.ts). */
export interface Bounds {
  /** Short sessions, such as record changes. */
  readonly short: number;
  /** Long sessions: imports. */
  readonly long: number;
}

/**
 * Runs work that blocks the changes of one tenant, and fails if they ever use more connections than allowed. Counts
 * connections, not waiting time, so that a busy machine does not matter.
 */
export async function whileSessionsAreFew(
  { database, signal, note, must }: Target,
  { short, long }: Bounds,
  work: () => Promise<void>,
): Promise<void> {
  // The session that holds the rows would see the statistics of its first query.
  const url = new URL(database);
  url.searchParams.set('application_name', 'sessions');
  const most = { writing: 0, together: 0 };
  const ending = new AbortController();
  const looking = (async (): Promise<void> => {
    while (!ending.signal.aborted && !signal.aborted) {
      const [row] = queryPostgres(url.href, SESSIONS) as { waiting: string; writing: string }[];
      const [waiting, writing] = [Number(row?.waiting), Number(row?.writing)];
      most.writing = Math.max(most.writing, writing);
      most.together = Math.max(most.together, waiting + writing);
      await delay(EVERY);
    }
  })();
  try {
    await work();
  } finally {
    ending.abort();
    await looking;
  }
  note({ sessions: most });
  must(most.together > 0, 'no change was seen that cannot go on');
  must(most.writing <= long, `${most.writing} long changes of one tenant were in progress concurrently`);
  must(most.together <= short + long, `changes of one tenant had ${most.together} concurrent connections`);
}
