import type { Due } from '../../common/waiting/agenda.js';
import type { Instant } from '../../common/clock.js';

/** A zone with changes that a listener has not dealt with, as long as that is so. */
export class ZoneBacklog implements Due {
  dueAt = Infinity;
  heapIndex = -1;
  /** How often in a row the listener has failed at it. */
  failures = 0;
  /** What is under way with it. */
  working: Promise<void> | null = null;
  /** Whether there are changes since it was last read. */
  hasMore = false;

  /**
   * @param oldest about when the oldest change happened that waits
   * @param version the number of its latest entry, where it was found by that
   */
  constructor(
    readonly zoneId: string,
    public oldest: Instant,
    readonly version: number | null,
    private readonly resume: (backlog: ZoneBacklog) => void,
  ) {}

  act(): void {
    this.resume(this);
  }
}
