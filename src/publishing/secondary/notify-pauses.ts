/** Between two questions that NOTIFYs lead to, in milliseconds. */
const PAUSE = 2000;
/** So many zones are remembered; a NOTIFY for another one is taken as the first. */
const MOST_ZONES = 10_000;

/** When the masters of a zone are asked because of NOTIFYs. */
interface Heard {
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
  private readonly heard = new Map<string, Heard>();

  /** Whether masters are to be asked already because of an earlier one, from one of the zone's masters as well. */
  isAsked(key: string, address: string): boolean {
    const heard = this.heard.get(key);
    return heard !== undefined && heard.masters.has(address) && performance.now() < heard.askedAt;
  }

  /** Takes one of a master. Returns in how many milliseconds they are asked; `null` where they are asked already. */
  take(key: string, masters: readonly string[]): number | null {
    const now = performance.now();
    const before = this.heard.get(key);
    if (before !== undefined && now < before.askedAt) return null;
    const askedAt = Math.max(now, (before?.askedAt ?? -Infinity) + PAUSE);
    this.remember(key, { masters: new Set(masters), askedAt });
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
