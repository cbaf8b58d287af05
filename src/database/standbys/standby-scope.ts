import { isOfBusyPool, isOfServer } from '../database-failure.js';
import type { Position } from './position.js';
import type { Standby, StandbyPool } from './standby.js';
import { NotReached, type StandbySession } from './standby-session.js';

export type Fallback = 'behind' | 'busy' | 'lost' | 'primary_away';

class PrimaryAway extends Error {}

/** Reads from one standby, which shows everything acknowledged before the first of them. */
export class StandbyScope {
  fallback: Fallback | null = null;
  isOver = false;
  private required: Promise<Position | null> | null = null;

  /**
   * @param mayBeOld accepts old data if the primary does not answer
   * @param maxStaleness the longest wait for the standby, in milliseconds
   */
  constructor(
    readonly standby: Standby,
    private readonly ask: () => Promise<Position | null>,
    private readonly bounds: { readonly mayBeOld: boolean; readonly maxStaleness: number },
  ) {}

  async take(pool: StandbyPool): Promise<StandbySession> {
    const required = (this.required ??= this.ask());
    const session = await this.standby.take(pool).catch((error: unknown) => {
      if (!isOfBusyPool(error)) this.standby.markLost(error);
      throw error;
    });
    try {
      await this.reach(session, await required);
      return session;
    } catch (error) {
      await this.give(session, error);
      throw error;
    }
  }

  give(session: StandbySession, error: unknown = null): Promise<void> {
    return this.standby.give(session, error);
  }

  /** After a failure of this server only, all reads are repeated on another one. */
  note(error: unknown): void {
    this.fallback ??= fallbackOf(error);
    if (error instanceof NotReached) this.standby.markBehind();
  }

  private async reach(session: StandbySession, position: Position | null): Promise<void> {
    if (position !== null) return session.reach(position, this.bounds.maxStaleness);
    if (!this.bounds.mayBeOld) throw new PrimaryAway('the primary does not say how far it is');
  }
}

/** A standby also cancels reads that block its replay. */
function fallbackOf(error: unknown): Fallback | null {
  if (error instanceof NotReached) return 'behind';
  if (error instanceof PrimaryAway) return 'primary_away';
  if (isOfBusyPool(error)) return 'busy';
  return isOfServer(error) ? 'lost' : null;
}
