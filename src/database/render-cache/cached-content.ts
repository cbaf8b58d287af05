import type { SpooledOctets } from './spool.js';

/** What a content takes in memory beside its octets: what is known of it, and what belongs to a file. In octets. */
const OVERHEAD = 1024;

/** Rendered octets in the hands of one user. */
export interface HeldContent<About> {
  readonly about: About;
  readonly octets: Omit<SpooledOctets, 'discard'>;
  /** Says that this user is done. What no user holds may be forgotten. */
  readonly release: () => void;
}

/** Rendered octets, and what is known of them. They are discarded when nobody uses them and they have been given up. */
export class CachedContent<About> {
  private users = 0;
  private isGivenUp = false;
  private isDiscarded = false;

  constructor(
    readonly about: About,
    private readonly octets: SpooledOctets,
  ) {}

  get storage(): 'onDisk' | 'inMemory' {
    return this.octets.inMemory === null ? 'onDisk' : 'inMemory';
  }

  /** What it takes, on disk or in memory. */
  get size(): number {
    return this.octets.length + OVERHEAD;
  }

  get isUsed(): boolean {
    return this.users > 0;
  }

  use(released: () => void): HeldContent<About> {
    this.users += 1;
    let isHeld = true;
    return {
      about: this.about,
      octets: this.octets,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.users -= 1;
        this.discardIfUnused();
        released();
      },
    };
  }

  giveUp(): void {
    this.isGivenUp = true;
    this.discardIfUnused();
  }

  /** In the next turn of the event loop: whoever was promised the content uses it before. */
  private discardIfUnused(): void {
    if (!this.isGivenUp || this.isUsed) return;
    setImmediate(() => {
      if (this.isUsed || this.isDiscarded) return;
      this.isDiscarded = true;
      // What cannot be closed is closed with the process.
      this.octets.discard().catch(() => undefined);
    });
  }
}
