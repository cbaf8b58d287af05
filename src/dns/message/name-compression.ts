/** RFC 1035 §4.1.4: pointers have 14 bits. */
const LAST_TARGET = 0x3fff;
const POINTER = 0xc000;

/** A power of two, several times the number of names that 16 KiB can hold. */
const SLOTS = 8192;
/** Names that a user has chosen to collide are written in full instead of being searched for. */
const MAX_PROBES = 16;
const NONE = -1;
const MAX_LABELS = 128;

/**
 * Compresses names in one message (RFC 1035 §4.1.4). Only names of the same case are pointed at, so that a reader gets
 * every name as it was written (RFC 5936 §3.4).
 *
 * A name is known by its first label and the offset of the rest, the names of one label by 0 for the root. So names are
 * looked for from their last label on, one label at a time, and are never compared as a whole.
 */
export class NameCompression {
  /** For each slot the offset of a label; 0 where it is free. */
  private readonly offsets = new Uint16Array(SLOTS);
  /** For each slot the offset of the name behind the label. */
  private readonly parents = new Uint16Array(SLOTS);
  private readonly labelStarts = new Uint8Array(MAX_LABELS);
  /** Where the label belongs that was looked for last and is not there. */
  private freeSlot = NONE;

  /** @param octets the message, which begins at 0 */
  constructor(private readonly octets: Buffer) {}

  /** Forgets all names: another message begins. */
  clear(): void {
    this.offsets.fill(0);
  }

  /**
   * Writes a name at the offset and returns where it ends.
   * @param name an uncompressed name
   */
  write(name: Uint8Array, at: number): number {
    let unknown = this.findLabels(name);
    let parent = 0;
    this.freeSlot = NONE;
    for (; unknown > 0; unknown--) {
      const found = this.find(name, this.labelStarts[unknown - 1] ?? 0, parent);
      if (found === NONE) break;
      parent = found;
    }
    const start = unknown === 0 ? 0 : this.endOfLabel(name, unknown - 1);
    for (let i = 0; i < start; i++) this.octets[at + i] = name[i] ?? 0;
    this.enter(name, unknown, at, parent);
    return this.writeRest(parent, at + start);
  }

  private writeRest(parent: number, at: number): number {
    if (parent === 0) {
      this.octets[at] = 0;
      return at + 1;
    }
    this.octets[at] = (POINTER | parent) >> 8;
    this.octets[at + 1] = parent & 0xff;
    return at + 2;
  }

  /** Fills `labelStarts`; returns how many labels there are. */
  private findLabels(name: Uint8Array): number {
    let count = 0;
    for (let at = 0, length = name[0] ?? 0; length !== 0; length = name[at] ?? 0) {
      this.labelStarts[count++] = at;
      at += length + 1;
    }
    return count;
  }

  private endOfLabel(name: Uint8Array, label: number): number {
    const start = this.labelStarts[label] ?? 0;
    return start + (name[start] ?? 0) + 1;
  }

  /** Where the name stands that consists of the label and of what stands at `parent`; else `freeSlot` is the one for it. */
  private find(name: Uint8Array, start: number, parent: number): number {
    let slot = this.firstSlot(name, start, parent);
    for (let probes = 0; probes < MAX_PROBES; probes++) {
      const offset = this.offsets[slot] ?? 0;
      if (offset === 0) {
        this.freeSlot = slot;
        return NONE;
      }
      if (this.parents[slot] === parent && this.hasLabel(offset, name, start)) return offset;
      slot = (slot + 1) & (SLOTS - 1);
    }
    return NONE;
  }

  /** Enters the first labels of the name, which was written at the offset, as far as pointers reach. */
  private enter(name: Uint8Array, labels: number, at: number, parentOfLast: number): void {
    let parent = parentOfLast;
    for (let label = labels - 1; label >= 0; label--) {
      const start = this.labelStarts[label] ?? 0;
      if (at + start > LAST_TARGET) return;
      // That of the first one that is not there has been looked for.
      if (label < labels - 1) this.freeSlot = this.findFree(name, start, parent);
      if (this.freeSlot !== NONE) {
        this.offsets[this.freeSlot] = at + start;
        this.parents[this.freeSlot] = parent;
      }
      parent = at + start;
    }
  }

  private findFree(name: Uint8Array, start: number, parent: number): number {
    let slot = this.firstSlot(name, start, parent);
    for (let probes = 0; probes < MAX_PROBES; probes++) {
      if (this.offsets[slot] === 0) return slot;
      slot = (slot + 1) & (SLOTS - 1);
    }
    return NONE;
  }

  private firstSlot(name: Uint8Array, start: number, parent: number): number {
    const end = start + (name[start] ?? 0);
    let hash = parent ^ 0x811c9dc5;
    for (let at = start; at <= end; at++) hash = Math.imul(hash ^ (name[at] ?? 0), 0x01000193);
    return (hash ^ (hash >>> 15)) & (SLOTS - 1);
  }

  /** Compares a label of the message with one of the name, the octet with their length included. */
  private hasLabel(offset: number, name: Uint8Array, start: number): boolean {
    const end = start + (name[start] ?? 0);
    for (let at = start, other = offset; at <= end; at++, other++) {
      if (this.octets[other] !== name[at]) return false;
    }
    return true;
  }
}
