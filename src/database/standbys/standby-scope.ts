import { isOfBusyPool, isOfServer } from '../database-failure.js';
import type { Position } from './position.js';
import type { Standby, StandbyPool } from './standby.js';
import { NotReached, type StandbySession } from './standby-session.js';

/** Why something is not read from a standby after all. */
export type Fallback = 'behind' | 'busy' | 'lost' | 'primary_away';

/** What has to be known of the primary cannot be. */
class PrimaryAway extends Error {}

/** Reads that belong together: one standby is read, and shows all that the primary had acknowledged before the first of them. */
export class StandbyScope {
  /** Why this standby could not be read; `null`: it could. */
  fallback: Fallback | null = null;
  isOver = false;
  private required: Promise<Position | null> | null = null;

  /**
   * @param mayBeOld whether what the standby has is read as it is where the primary does not answer
   * @param maxStaleness how long is waited for the standby to replay what it lacks, in milliseconds
   */
  constructor(
    readonly standby: Standby,
    private readonly ask: () => Promise<Position | null>,
    private readonly bounds: { readonly mayBeOld: boolean; readonly maxStaleness: number },
  ) {}

  /** @throws what keeps the standby from being read */
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

  /** @param error what the read has failed for; `null`: it was done */
  give(session: StandbySession, error: unknown = null): Promise<void> {
    return this.standby.give(session, error);
  }

  /** A failure that another server would not have had lets all be read once more from another. */
  note(error: unknown): void {
    this.fallback ??= fallbackOf(error);
    if (error instanceof NotReached) this.standby.markBehind();
  }

  private async reach(session: StandbySession, position: Position | null): Promise<void> {
    if (position !== null) return session.reach(position, this.bounds.maxStaleness);
    if (!this.bounds.mayBeOld) throw new PrimaryAway('the primary does not say how far it is');
  }
}

/** A standby also gives up what stands in the way of replaying the log. */
function fallbackOf(error: unknown): Fallback | null {
  if (error instanceof NotReached) return 'behind';
  if (error instanceof PrimaryAway) return 'primary_away';
  if (isOfBusyPool(error)) return 'busy';
  return isOfServer(error) ? 'lost' : null;
}
