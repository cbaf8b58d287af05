import { DatabaseOpenError } from '../database-open-error.js';
import type { Position, PositionSource } from './position.js';
import type { Standby, StandbyState } from './standby.js';

/** What the operator is to do about one that can never be read. */
const WAYS_OUT: Partial<Record<StandbyState, string>> = {
  promoted: 'name standbys that follow the server of [database] url, and none that takes changes',
  foreign: 'name standbys of the server of [database] url, with the same database and schema',
  refusing: 'name it with a user, a password and a database that it knows',
};

/** Of what shows this database at some moment. */
const AS_THEY_ARE: ReadonlySet<StandbyState> = new Set(['read', 'behind', 'diverged']);

/** The standbys of `[database] read_urls`. */
export class Standbys {
  private turn = 0;

  /** @param primary `null` where none of the standbys needs one */
  constructor(
    readonly all: readonly Standby[],
    private readonly primary: PositionSource | null,
  ) {}

  /** There are none on SQLite, or where none are named. */
  static none(): Standbys {
    return new Standbys([], null);
  }

  /** Those that may be asked, each first in its turn. Where nobody knows where the primary is, the one that is furthest comes first. */
  inOrder(): readonly Standby[] {
    const read = this.all.filter(({ state }) => state === 'read');
    if (this.primary?.isAway !== false) return read.sort(furthestFirst);
    this.turn += 1;
    const first = this.turn % Math.max(1, read.length);
    return [...read.slice(first), ...read.slice(0, first)];
  }

  /** Those that show this database, the one that is furthest first, also where they lack what the primary had. */
  asTheyAre(): readonly Standby[] {
    return this.all.filter(({ state }) => AS_THEY_ARE.has(state)).sort(furthestFirst);
  }

  /** Finds out how each of them stands. */
  async look(): Promise<void> {
    const position: Position | null = (await this.primary?.ask()) ?? null;
    await Promise.all(this.all.map((standby) => standby.look(position)));
  }

  /**
   * The same when the program starts. One that cannot be reached, or is behind, may be read later.
   * @throws DatabaseOpenError where one can never be read
   */
  async open(): Promise<void> {
    await this.look();
    for (const { label, state, problem } of this.all) {
      const wayOut = WAYS_OUT[state];
      if (wayOut !== undefined)
        throw new DatabaseOpenError(
          `cannot read from the standby ${label} of [database] read_urls, which ${problem}: ${wayOut}`,
        );
    }
  }

  /** How many are read, in words; `null` where there are none. */
  get summary(): string | null {
    const count = this.all.length;
    if (count === 0) return null;
    const read = this.all.filter(({ state }) => state === 'read').length;
    return read === 0
      ? `none of ${count} is read; the primary is`
      : `${read} of ${count} ${read === 1 ? 'is' : 'are'} read`;
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((standby) => standby.close()));
  }
}

/** What a former primary has written beyond the change of timeline is part of nothing any more. */
function furthestFirst(one: Standby, other: Standby): number {
  return other.timeline - one.timeline || Number(other.replayed - one.replayed);
}
