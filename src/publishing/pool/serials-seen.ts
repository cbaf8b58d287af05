import type { WantedZone } from './publication.repository.js';

/** So many zones are compared at a time. */
const PORTION = 1000;
/** Serials have 32 bits; above them is the pass in which a zone was seen last, of two that take turns. */
const OF_OTHER_PASS = 2 ** 32;

/** The serials of all zones as they were seen last, which tell what has become different since. */
export class SerialsSeen {
  private readonly marked = new Map<string, number>();
  private mark = 0;
  private hasSeenAll = false;
  private last = '';

  /** Behind which zone the next portion begins. */
  get marker(): string {
    return this.last;
  }

  get chunk(): number {
    return PORTION;
  }

  get isAtBeginning(): boolean {
    return this.last === '';
  }

  /** Returns whether it is another serial than the one that was seen before. */
  take({ id, serial }: WantedZone): boolean {
    const before = this.marked.get(id);
    this.marked.set(id, serial + this.mark);
    return before === undefined || before % OF_OTHER_PASS !== serial;
  }

  forget(id: string): void {
    this.marked.delete(id);
  }

  /**
   * Takes the next portion of all zones. The first time nothing counts as changed: name servers have it, or will ask for it.
   * @returns what has changed, and at the end which zones are there no more
   */
  compare(zones: readonly WantedZone[]): { readonly changed: readonly WantedZone[]; readonly gone: readonly string[] } {
    const different = zones.filter((zone) => this.take(zone));
    const changed = this.hasSeenAll ? different : [];
    this.last = zones.at(-1)?.id ?? '';
    return { changed, gone: zones.length === PORTION ? [] : this.endPass() };
  }

  private endPass(): string[] {
    const gone = [...this.marked].filter(([, value]) => value - (value % OF_OTHER_PASS) !== this.mark);
    this.mark = OF_OTHER_PASS - this.mark;
    this.last = '';
    this.hasSeenAll = true;
    return gone.map(([id]) => id);
  }
}
