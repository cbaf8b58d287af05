import type { SpooledOctets } from './spool.js';

/** In octets. */
export interface ContentBounds {
  readonly onDisk: number;
  readonly inMemory: number;
}

interface Entry<About> {
  readonly content: CachedContent<About>;
  readonly owner: string;
}

/** Evicts the least recently used content without users when space runs out, in total or for its owner. */
export class ContentCache<About> {
  /** The most recently used last. */
  private readonly entries = new Map<string, Entry<About>>();
  private readonly room: Room;
  private readonly roomOfOwners = new Map<string, Room>();
  private readonly tightOwners = new Set<string>();

  /** @param boundsOfOwner all of it by default */
  constructor(
    bounds: ContentBounds,
    private readonly boundsOfOwner = bounds,
  ) {
    this.room = new Room(bounds);
  }

  get size(): ContentBounds {
    return { ...this.room.taken };
  }

  sizeOf(owner: string): ContentBounds {
    return { ...this.roomOf(owner).taken };
  }

  find(key: string): CachedContent<About> | undefined {
    return this.entries.get(key)?.content;
  }

  put(key: string, content: CachedContent<About>, owner = ''): void {
    this.forget(key);
    const entry = { content, owner };
    this.entries.set(key, entry);
    this.count(entry, 1);
  }

  /** The content need not be in the cache. */
  use(key: string, content: CachedContent<About>): HeldContent<About> {
    const entry = this.entries.get(key);
    if (entry?.content === content) {
      this.entries.delete(key);
      this.entries.set(key, entry);
    }
    const used = content.use(() => {
      this.makeRoom();
    });
    this.makeRoom();
    return used;
  }

  /** Current users keep the content. */
  forget(key: string): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.count(entry, -1);
    entry.content.giveUp();
  }

  clear(): void {
    for (const key of [...this.entries.keys()]) this.forget(key);
  }

  makeRoom(): void {
    if (this.tightOwners.size > 0) this.forgetUnused((owner) => this.roomOf(owner));
    if (this.room.isTight) this.forgetUnused(() => this.room);
  }

  private forgetUnused(roomFor: (owner: string) => Room): void {
    for (const [key, { content, owner }] of this.entries)
      if (!content.isUsed && roomFor(owner).isFull(content.storage)) this.forget(key);
  }

  private count({ content, owner }: Entry<About>, times: 1 | -1): void {
    const room = this.roomOf(owner);
    room.add(content, times);
    this.room.add(content, times);
    if (room.isEmpty) this.roomOfOwners.delete(owner);
    else this.roomOfOwners.set(owner, room);
    if (room.isTight) this.tightOwners.add(owner);
    else this.tightOwners.delete(owner);
  }

  private roomOf(owner: string): Room {
    return this.roomOfOwners.get(owner) ?? new Room(this.boundsOfOwner);
  }
}

class Room {
  readonly taken = { onDisk: 0, inMemory: 0 };

  constructor(private readonly bounds: ContentBounds) {}

  get isEmpty(): boolean {
    return this.taken.onDisk + this.taken.inMemory === 0;
  }

  get isTight(): boolean {
    return this.isFull('onDisk') || this.isFull('inMemory');
  }

  add({ storage, size }: CachedContent<unknown>, times: 1 | -1): void {
    this.taken[storage] += times * size;
  }

  isFull(storage: keyof ContentBounds): boolean {
    return this.taken[storage] > this.bounds[storage];
  }
}

/** Octets of memory for metadata. */
const OVERHEAD = 1024;

export interface HeldContent<About> {
  readonly about: About;
  readonly octets: Omit<SpooledOctets, 'discard'>;
  /** A content without users may be evicted. */
  readonly release: () => void;
}

/** Discarded when given up and unused. */
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

  /** In octets, on disk or in memory. */
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

  /** In the next turn of the event loop, so that a promised user can take the content first. */
  private discardIfUnused(): void {
    if (!this.isGivenUp || this.isUsed) return;
    setImmediate(() => {
      if (this.isUsed || this.isDiscarded) return;
      this.isDiscarded = true;
      // The end of the process closes it at the latest.
      this.octets.discard().catch(() => undefined);
    });
  }
}
