import { afterEach, describe, expect, it } from '@jest/globals';
import { ON_POSTGRES } from '../support/postgres/databases.js';
import type { Settings } from '../support/service.js';
import { Random, seedFrom } from './random.js';
import { crashAgainAndAgain, type Figures } from './rounds.js';
import { openStore, type Store } from './store.js';

/** `npm run test:crash` runs 200 rounds and prints its actions. */
const FEWEST_ROUNDS = 3;
const ROUNDS = Number(process.env.ZONEWRIGHT_CRASH_ROUNDS ?? FEWEST_ROUNDS);
/** A seed fixes the client actions, but not the exact time of the kill. */
const SEED = seedFrom('ZONEWRIGHT_CRASH_SEED');
/** Audits go through the whole story of a database, so it is not made longer than this. */
const ROUNDS_PER_DATABASE = 10;
const LONGEST_ROUND = 20_000;

const WORKERS = ['PostgreSQL with two workers', { SERVICE_API__WORKERS: '2' }] as const;
/** A short run covers processes that all databases have: SQLite has one process only. */
const ON_THE_SERVER = ROUNDS > FEWEST_ROUNDS ? [['PostgreSQL', {}] as const, WORKERS] : [WORKERS];
const SERVICES: readonly (readonly [name: string, settings: Settings])[] = ON_POSTGRES
  ? ON_THE_SERVER
  : [['SQLite', {}]];

let store: Store;
afterEach(() => store.remove());

describe.each(SERVICES)('18.1, 10.2 killed at any moment under mixed load, on %s,', (name, settings) => {
  const figures: Figures = {
    rounds: 0,
    killedInStart: 0,
    counts: { acknowledged: 0, refused: 0, inDoubt: 0, inDoubtStored: 0, lists: 0, repeated: 0, replayed: 0 },
  };
  const databases = Math.ceil(ROUNDS / ROUNDS_PER_DATABASE);

  it.each(Array.from({ length: databases }, (_, at) => at + 1))(
    `the service has every acknowledged change once, nothing by halves and no serial that went back (${databases} times): %d`,
    async (nth) => {
      store = await openStore(settings);
      const rounds = Math.min(ROUNDS_PER_DATABASE, ROUNDS - (nth - 1) * ROUNDS_PER_DATABASE);
      const faults = await crashAgainAndAgain(store, rounds, new Random(SEED + nth), figures);
      if (ROUNDS > FEWEST_ROUNDS) process.stderr.write(`crash on ${name}, seed ${SEED}: ${JSON.stringify(figures)}\n`);
      expect({ seed: SEED, faults }).toEqual({ seed: SEED, faults: [] });
      expect(figures.counts.acknowledged).toBeGreaterThan(0);
    },
    ROUNDS_PER_DATABASE * LONGEST_ROUND,
  );
});
