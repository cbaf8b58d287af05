import { Coalescer } from '../../common/waiting/coalescer.js';
import { type NamedQuery, nameQuery, postgresClientOf } from '../postgres/postgres-client.js';
import type { Reads } from '../reads.js';
import { WRITTEN_TIMELINE } from './timeline.js';

/** How far the log of the primary is written: a standby that has replayed so much shows all that was acknowledged by then. */
export interface Position {
  /** It grows with each promotion: what two servers have written under the same position differs by it. */
  readonly timeline: number;
  readonly lsn: bigint;
}

/** How long the primary is waited for, in milliseconds. Whoever asks has a request to answer. */
const TIME_LIMIT = 1000;

/** A commit that does not wait for the disk is acknowledged before it counts as flushed. */
const ASK: NamedQuery = nameQuery(
  `SELECT ${WRITTEN_TIMELINE} AS timeline,` +
    " pg_wal_lsn_diff(CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()" +
    " ELSE pg_current_wal_flush_lsn() END, '0/0')::text AS lsn",
);

interface Asked {
  readonly resolve: (position: Position | null) => void;
}

/** Who knows where the primary is. */
export interface PositionSource {
  /** Whether the primary has not answered when it was asked last. */
  readonly isAway: boolean;
  /** Where the primary is now; `null` where it does not answer in time. */
  ask(): Promise<Position | null>;
}

/** Asks the primary. Whoever asks at about the same time shares a round trip, which begins after all of them have asked. */
export class PrimaryPosition implements PositionSource {
  private readonly questions = new Coalescer<Asked>((asked) => this.answer(asked), { atOnce: 2 });
  private isSilent = false;

  /** @param primary reads of the primary */
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
