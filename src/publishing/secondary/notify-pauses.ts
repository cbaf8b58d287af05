/** Between two questions that NOTIFYs lead to, in milliseconds. */
const PAUSE = 2000;
/** So many zones are remembered; a NOTIFY for another one is taken as the first. */
const MOST_ZONES = 10_000;

/** When the masters of a zone are asked because of NOTIFYs. */
interface Heard {
  /** Another zone may have got its name since. */
  readonly zoneId: string;
  /** The masters' addresses when the first of them came. */
  readonly masters: ReadonlySet<string>;
  /** When its masters are asked next, or were last, by `performance.now()`. */
  askedAt: number;
}

/**
 * Has the masters of a zone asked at once, and then once in two seconds, however many NOTIFYs come: whoever knows the address
 * of a master can forge them, and a real one that comes meanwhile is not forgotten.
 */
export class NotifyPauses {
  /** By the names of the zones. */
  private readonly heard = new Map<string, Heard>();

  /** Whether masters are to be asked already because of an earlier one, from one of the zone's masters as well. */
  isAsked(key: string, address: string): boolean {
    const heard = this.heard.get(key);
    return heard !== undefined && heard.masters.has(address) && performance.now() < heard.askedAt;
  }

  /** Whether the zone with that name was this one when it was last heard of. */
  isOf(key: string, zoneId: string): boolean {
    return this.heard.get(key)?.zoneId === zoneId;
  }

  /** Takes one of a master. Returns in how many milliseconds they are asked; `null` where they are asked already. */
  take(key: string, zoneId: string, masters: readonly string[]): number | null {
    const now = performance.now();
    const heard = this.heard.get(key);
    const before = heard?.zoneId === zoneId ? heard.askedAt : -Infinity;
    if (now < before) return null;
    const askedAt = Math.max(now, before + PAUSE);
    this.remember(key, { zoneId, masters: new Set(masters), askedAt });
    return askedAt - now;
  }

  /** What was remembered first is forgotten first. */
  private remember(key: string, heard: Heard): void {
    this.heard.delete(key);
    this.heard.set(key, heard);
    for (const first of this.heard.keys()) {
      if (this.heard.size <= MOST_ZONES) break;
      this.heard.delete(first);
    }
  }
}
