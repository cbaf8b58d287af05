import type { KeptOctets } from '../../database/spool.js';
import type { AnswerSection } from '../../dns/message/transfer-writer.js';
import type { SectionList } from './section-list.js';
import type { Copy } from './zone-source.js';

/** What a copy takes in memory beside its octets: places, and what belongs to a file. In octets. */
const OVERHEAD = 1024;

/** A rendered copy. It is discarded when nobody uses it and it has been given up. */
export class KeptCopy {
  private users = 0;
  private isGivenUp = false;
  private isDiscarded = false;

  constructor(
    readonly serial: number,
    private readonly list: SectionList,
    private readonly kept: KeptOctets,
  ) {}

  get isOnDisk(): boolean {
    return this.kept.isOnDisk;
  }

  /** What it takes, on disk or in memory. */
  get size(): number {
    return this.kept.length + OVERHEAD;
  }

  get isUsed(): boolean {
    return this.users > 0;
  }

  use(released: () => void): Copy {
    this.users += 1;
    const { serial } = this;
    let isHeld = true;
    return {
      serial,
      octets: this.kept.length,
      sections: (): AsyncIterable<AnswerSection> => this.list.read(this.kept),
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

  /** In the next turn of the event loop: whoever was promised the copy uses it before. */
  private discardIfUnused(): void {
    if (!this.isGivenUp || this.isUsed) return;
    setImmediate(() => {
      if (this.isUsed || this.isDiscarded) return;
      this.isDiscarded = true;
      // What cannot be closed is closed with the process.
      this.kept.discard().catch(() => undefined);
    });
  }
}
