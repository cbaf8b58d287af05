import { AsyncLocalStorage } from 'node:async_hooks';
import { ServiceError } from '../../common/service-error.js';
import { Reads } from '../reads.js';
import type { Explain } from '../schema-watch.js';
import type { Lookup } from '../statements/lookup.js';
import type { SqlValue } from '../transaction.js';
import type { Transaction } from '../transaction.js';
import type { Position, PositionSource } from './position.js';
import { countFallback, countRead, type Standbys } from './standbys.js';
import type { Standby, StandbyPool } from './standby.js';
import { StandbyScope } from './standby-scope.js';
import type { StandbySession } from './standby-session.js';

interface StandbyReadOptions {
  /** In milliseconds. */
  readonly maxStaleness: number;
  readonly explain: Explain;
}

interface Freshness {
  /** Accepts old data if the position of the primary is unknown. */
  readonly mayBeOld: boolean;
  readonly ask: () => Promise<Position | null>;
}

const AS_IT_IS: Freshness = { mayBeOld: true, ask: () => Promise.resolve(null) };

/**
 * Reads from standbys within `offPrimary` (ADR 65), once they show all changes acknowledged before the first read, so
 * that callers see their own changes.
 */
export class StandbyReads extends Reads {
  private readonly scopes = new AsyncLocalStorage<StandbyScope>();

  constructor(
    private readonly primary: Reads,
    private readonly position: PositionSource,
    private readonly standbys: Standbys,
    private readonly options: StandbyReadOptions,
  ) {
    super();
  }

  override run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const scope = this.scope;
    return scope === null ? this.primary.run(work) : this.runIn(scope, work);
  }

  /** Costs the primary as little as asking for its position. */
  override lookUp<Row>(lookup: Lookup<Row>, key: readonly SqlValue[]): Promise<Row | undefined> {
    return this.primary.lookUp(lookup, key);
  }

  override stream<T>(work: (tx: Transaction) => AsyncIterable<T>): AsyncIterable<T> {
    const scope = this.scope;
    return scope === null ? this.primary.stream(work) : this.streamIn(scope, work);
  }

  override offPrimary<T>(work: () => Promise<T>): Promise<T> {
    return this.spread(work, false);
  }

  override fromAny<T>(work: () => Promise<T>): Promise<T> {
    return this.spread(work, true);
  }

  protected get isInScope(): boolean {
    return this.scope !== null;
  }

  /** Work that outlives its scope reads from the primary. */
  private get scope(): StandbyScope | null {
    const scope = this.scopes.getStore();
    return scope === undefined || scope.isOver ? null : scope;
  }

  /** Tries all standbys, then the primary, then a standby with old data, if allowed. */
  private async spread<T>(work: () => Promise<T>, mayBeOld: boolean): Promise<T> {
    const read = await this.readFrom(this.standbys.inOrder(), work, { mayBeOld, ask: () => this.ask(mayBeOld) });
    if (read !== null) return read.result;
    countRead('primary');
    try {
      return await this.scopes.exit(work);
    } catch (error) {
      const isAway = error instanceof ServiceError && error.code === 'unavailable';
      const old = mayBeOld && isAway ? await this.readFrom(this.standbys.asTheyAre(), work, AS_IT_IS) : null;
      if (old === null) throw error;
      return old.result;
    }
  }

  /** `null` if none is readable. */
  private async readFrom<T>(
    standbys: readonly Standby[],
    work: () => Promise<T>,
    { mayBeOld, ask }: Freshness,
  ): Promise<{ readonly result: T } | null> {
    const bounds = { mayBeOld, maxStaleness: this.options.maxStaleness };
    for (const standby of standbys) {
      if (this.position.isAway && !mayBeOld) break;
      const scope = new StandbyScope(standby, ask, bounds);
      try {
        const result = await this.scopes.run(scope, work);
        countRead(standby.label);
        return { result };
      } catch (error) {
        if (scope.fallback === null) throw error;
        countFallback(scope.fallback);
      } finally {
        scope.isOver = true;
      }
    }
    return null;
  }

  /** Skips a primary that was silent a moment ago, if the read can do without it. */
  private ask(mayBeOld: boolean): ReturnType<PositionSource['ask']> {
    return mayBeOld && this.position.isAway ? Promise.resolve(null) : this.position.ask();
  }

  private async runIn<T>(scope: StandbyScope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const session = await this.take(scope, 'reads');
    let failure: unknown = null;
    try {
      return await work(session.tx);
    } catch (error) {
      failure = error;
      throw await this.failed(scope, error);
    } finally {
      await scope.give(session, failure);
    }
  }

  private async *streamIn<T>(scope: StandbyScope, work: (tx: Transaction) => AsyncIterable<T>): AsyncGenerator<T> {
    const session = await this.take(scope, 'streams');
    let failure: unknown = null;
    try {
      await session.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      yield* work(session.tx);
    } catch (error) {
      failure = error;
      throw await this.failed(scope, error);
    } finally {
      await session.end(failure);
      await scope.give(session, failure);
    }
  }

  private async take(scope: StandbyScope, pool: StandbyPool): Promise<StandbySession> {
    try {
      return await scope.take(pool);
    } catch (error) {
      throw await this.failed(scope, error);
    }
  }

  /** Not logged yet, since another server is tried next. */
  private async failed(scope: StandbyScope, error: unknown): Promise<unknown> {
    scope.note(error);
    return scope.fallback === null ? this.options.explain(error) : error;
  }
}
