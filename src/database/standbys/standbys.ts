import { DatabaseOpenError } from '../database-failure.js';
import type { Position, PositionSource } from './position.js';
import type { Standby, StandbyState } from './standby.js';
import { showGauge } from '../../observability/metrics.js';
import { Counter } from '../../observability/metrics.js';
import type { Fallback } from './standby-scope.js';

const WAYS_OUT: Partial<Record<StandbyState, string>> = {
  promoted: 'name standbys that follow the server of [database] url, and none that takes changes',
  foreign: 'name standbys of the server of [database] url, with the same database and schema',
  refusing: 'name it with a user, a password and a database that it knows',
};

/** States in which a standby shows some past state of this database. */
const AS_THEY_ARE: ReadonlySet<StandbyState> = new Set(['read', 'behind', 'diverged']);

/** The standbys of `[database] read_urls`. */
export class Standbys {
  private turn = 0;

  constructor(
    readonly all: readonly Standby[],
    private readonly primary: PositionSource | null,
  ) {}

  static none(): Standbys {
    return new Standbys([], null);
  }

  /** In rotation. If the position of the primary is unknown, the most advanced one comes first. */
  inOrder(): readonly Standby[] {
    const read = this.all.filter(({ state }) => state === 'read');
    if (this.primary?.isAway !== false) return read.sort(furthestFirst);
    this.turn += 1;
    const first = this.turn % Math.max(1, read.length);
    return [...read.slice(first), ...read.slice(0, first)];
  }

  /** The most advanced first. */
  asTheyAre(): readonly Standby[] {
    return this.all.filter(({ state }) => AS_THEY_ARE.has(state)).sort(furthestFirst);
  }

  async look(): Promise<void> {
    const position: Position | null = (await this.primary?.ask()) ?? null;
    await Promise.all(this.all.map((standby) => standby.look(position)));
  }

  /** One that is unreachable or behind may be read later. @throws DatabaseOpenError if it can never be read */
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

/** Timelines first: writes of a former primary after the promotion do not count. */
function furthestFirst(one: Standby, other: Standby): number {
  return other.timeline - one.timeline || Number(other.replayed - one.replayed);
}

const READS = new Counter({
  name: 'zonewright_offloaded_reads_total',
  help: 'Lists, exports, histories, transfers and comparisons that may be read from a standby, by what they were read from.',
  labels: ['source'],
});
const FALLBACKS = new Counter({
  name: 'zonewright_standby_fallbacks_total',
  help: 'Times that a standby could not be read after all, and another server was.',
  labels: ['reason'],
});
const LAG = {
  name: 'zonewright_standby_lag_seconds',
  help: 'How long a standby took to show what the primary had acknowledged, or has not shown it.',
};
const READ = { name: 'zonewright_standby_read', help: 'Whether a standby is read: 1 or 0.' };

export function countRead(source: string): void {
  READS.of(source).add();
}

export function countFallback(reason: Fallback): void {
  FALLBACKS.of(reason).add();
}

export function showStandbys(standbys: readonly Standby[]): () => void {
  const ends = [
    showGauge(
      LAG,
      () =>
        standbys.flatMap(({ label, lag }) => (lag === null ? [] : [{ labels: { server: label }, value: lag / 1000 }])),
      'max',
    ),
    showGauge(
      READ,
      () => standbys.map(({ label, state }) => ({ labels: { server: label }, value: state === 'read' ? 1 : 0 })),
      'max',
    ),
  ];
  return () => {
    for (const end of ends) end();
  };
}
