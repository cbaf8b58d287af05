import type { KeptCopy } from './kept-copy.js';
import type { Copy } from './zone-source.js';

/** How much copies may take together, in octets. */
export interface CopyBounds {
  readonly onDisk: number;
  readonly inMemory: number;
}

/** Copies by their keys. Those that were used least recently go when there is no room, as far as nobody uses them. */
export class KeptCopies {
  /** What was used last comes last. */
  private readonly copies = new Map<string, KeptCopy>();
  private readonly taken = { onDisk: 0, inMemory: 0 };

  constructor(private readonly bounds: CopyBounds) {}

  /** What they take. */
  get size(): CopyBounds {
    return { ...this.taken };
  }

  find(key: string): KeptCopy | undefined {
    return this.copies.get(key);
  }

  /** Replaces what has been kept under the key. */
  put(key: string, copy: KeptCopy): void {
    this.forget(key);
    this.copies.set(key, copy);
    this.taken[storageOf(copy)] += copy.size;
  }

  /** Hands a copy, which need not be kept, to a user. */
  use(key: string, copy: KeptCopy): Copy {
    if (this.copies.get(key) === copy) {
      this.copies.delete(key);
      this.copies.set(key, copy);
    }
    const used = copy.use(() => {
      this.makeRoom();
    });
    this.makeRoom();
    return used;
  }

  /** Whoever uses it goes on. */
  forget(key: string): void {
    const copy = this.copies.get(key);
    if (copy === undefined) return;
    this.copies.delete(key);
    this.taken[storageOf(copy)] -= copy.size;
    copy.giveUp();
  }

  clear(): void {
    for (const key of [...this.copies.keys()]) this.forget(key);
  }

  makeRoom(): void {
    for (const [key, copy] of this.copies) {
      if (!this.isFull('onDisk') && !this.isFull('inMemory')) return;
      if (!copy.isUsed && this.isFull(storageOf(copy))) this.forget(key);
    }
  }

  private isFull(storage: keyof CopyBounds): boolean {
    return this.taken[storage] > this.bounds[storage];
  }
}

function storageOf({ isOnDisk }: KeptCopy): keyof CopyBounds {
  return isOnDisk ? 'onDisk' : 'inMemory';
}
