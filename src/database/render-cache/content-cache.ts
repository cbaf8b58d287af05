import type { HeldContent, CachedContent } from './cached-content.js';

/** How much contents may take together, in octets. */
export interface ContentBounds {
  readonly onDisk: number;
  readonly inMemory: number;
}

interface Entry<About> {
  readonly content: CachedContent<About>;
  /** Who has had it rendered. */
  readonly owner: string;
}

/**
 * Contents by their keys. Those that were used least recently go when there is no room, in all or for their owner, as far as
 * nobody uses them.
 */
export class ContentCache<About> {
  /** What was used last comes last. */
  private readonly entries = new Map<string, Entry<About>>();
  private readonly room: Room;
  private readonly roomOfOwners = new Map<string, Room>();
  /** Owners that have more than their share. */
  private readonly tightOwners = new Set<string>();

  /** @param boundsOfOwner how much the contents of one owner may take; by default as much as all */
  constructor(
    bounds: ContentBounds,
    private readonly boundsOfOwner = bounds,
  ) {
    this.room = new Room(bounds);
  }

  /** What they take. */
  get size(): ContentBounds {
    return { ...this.room.taken };
  }

  /** What those of an owner take. */
  sizeOf(owner: string): ContentBounds {
    return { ...this.roomOf(owner).taken };
  }

  find(key: string): CachedContent<About> | undefined {
    return this.entries.get(key)?.content;
  }

  /** Replaces what has been kept under the key. */
  put(key: string, content: CachedContent<About>, owner = ''): void {
    this.forget(key);
    const entry = { content, owner };
    this.entries.set(key, entry);
    this.count(entry, 1);
  }

  /** Hands a content, which need not be kept, to a user. */
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

  /** Whoever uses it goes on. */
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

  /** Whoever has more than its share makes room first. */
  makeRoom(): void {
    if (this.tightOwners.size > 0) this.forgetUnused((owner) => this.roomOf(owner));
    if (this.room.isTight) this.forgetUnused(() => this.room);
  }

  /** As far as they are too much for a room. */
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

/** What contents take of what they may take. */
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
