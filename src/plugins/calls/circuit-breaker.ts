/** After the first overdue call, in milliseconds; twice as long after each next one. */
const SHORTEST = 10_000;
const LONGEST = 60_000;
/** So many tenants with overdue calls, and none with one that has ended in time, mean that nobody is answered. */
const SIGN_OF_SILENCE = 3;
/** What is over is forgotten after a minute, in which it is still shown. */
const REMEMBERED = 60_000;
/** For calls that no tenant is known of. */
const NOBODY = '';

interface Pause {
  readonly since: number;
  length: number;
  until: number;
}

/**
 * For whom a plugin is not asked for a while, since it has not answered (times are of the monotonic clock). One tenant whose
 * calls hang is left alone by itself; when nobody is answered, all are. When the time is over one call tries whether it is.
 */
export class CircuitBreaker {
  private readonly pauses = new Map<string, Pause>();
  private forAll: Pause | null = null;
  /** Whose calls were overdue since the last one that has ended in time; those that no tenant is known of count one by one. */
  private readonly unanswered = new Set<string | symbol>();
  private lastInTimeBegan = -Infinity;
  private lastOverdueAt = -Infinity;

  /** Milliseconds until the plugin is asked again; `null` where it is to be asked now. */
  remaining(tenantId: string | null, now: number): number | null {
    const own = this.pauses.get(tenantId ?? NOBODY);
    const longest = Math.max(this.forAll?.until ?? 0, own?.until ?? 0);
    if (longest > now) return longest - now;
    // This call tries; the others go on waiting for what becomes of it.
    for (const pause of [own, this.forAll]) if (pause !== undefined && pause !== null) pause.until = now + pause.length;
    return null;
  }

  /** @returns milliseconds for which the plugin is not asked for the tenant */
  recordOverdue(tenantId: string | null, began: number, now: number): number {
    this.forget(now);
    this.lastOverdueAt = now;
    const key = tenantId ?? NOBODY;
    // Where no tenant is known, one overdue call says nothing of the next.
    const own = this.pauses.get(key);
    // Calls that hang side by side are one sign.
    if (tenantId !== null && began >= (own?.since ?? -Infinity)) this.pauses.set(key, longer(own, now));
    if (began > this.lastInTimeBegan) this.unanswered.add(tenantId ?? Symbol());
    if (this.unanswered.size >= SIGN_OF_SILENCE) this.forAll = longer(this.forAll ?? undefined, now);
    return Math.max(0, (this.pauses.get(key)?.until ?? 0) - now, (this.forAll?.until ?? 0) - now);
  }

  recordInTime(tenantId: string | null, began: number): void {
    this.lastInTimeBegan = Math.max(this.lastInTimeBegan, began);
    this.unanswered.clear();
    this.forAll = null;
    if (this.pauses.size > 0) this.pauses.delete(tenantId ?? NOBODY);
  }

  /** Whether somebody was not answered lately. */
  isAny(now: number): boolean {
    this.forget(now);
    const isLately = now - this.lastOverdueAt < LONGEST + REMEMBERED;
    return isLately && (this.unanswered.size > 0 || this.forAll !== null || this.pauses.size > 0);
  }

  private forget(now: number): void {
    for (const [key, { until }] of this.pauses) if (now > until + REMEMBERED) this.pauses.delete(key);
  }
}

function longer(pause: Pause | undefined, now: number): Pause {
  const length = pause === undefined ? SHORTEST : Math.min(LONGEST, 2 * pause.length);
  return { since: now, length, until: now + length };
}
