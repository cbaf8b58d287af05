import { COMPRESSED_RDATA, type NamesInRdata } from './rdata-names.js';

/** The TCP length prefix limits it (RFC 1035 §4.2.2). */
export const MAX_MESSAGE_OCTETS = 0xffff;
/** Type, class, TTL and RDATA length (RFC 1035 §4.1.3). */
export const RECORD_FIXED_OCTETS = 10;
const MAX_LABEL_OCTETS = 63;
const MAX_NAME_OCTETS = 255;
/** Below this, a loop copies faster than `set()`. */
const FEW_OCTETS = 48;

/** Writes one message at a time, with compressed names (RFC 1035 §4.1). */
export class MessageBuffer {
  length = 0;
  private readonly octets = Buffer.alloc(MAX_MESSAGE_OCTETS);
  private readonly names = new NameCompression(this.octets);
  /** Consecutive records often have the same owner. */
  private lastOwner: Uint8Array | null = null;
  private lastOwnerAt = 0;

  /** The caller writes the octets before the offset. */
  start(offset: number): void {
    this.length = offset;
    this.names.clear();
    this.lastOwner = null;
  }

  copyFrom(offset: number): Buffer {
    const copy = Buffer.allocUnsafeSlow(this.length - offset);
    this.octets.copy(copy, 0, offset, this.length);
    return copy;
  }

  uint16(value: number): void {
    this.octets[this.length] = value >>> 8;
    this.octets[this.length + 1] = value;
    this.length += 2;
  }

  uint32(value: number): void {
    this.uint16(value >>> 16);
    this.uint16(value);
  }

  /** @throws RangeError if they do not fit */
  copy(octets: Uint8Array, from = 0, to = octets.length): void {
    if (this.length + to - from > MAX_MESSAGE_OCTETS) throw tooLongError();
    if (to - from > FEW_OCTETS) {
      this.octets.set(octets.subarray(from, to), this.length);
      this.length += to - from;
      return;
    }
    for (let at = from; at < to; at++) this.octets[this.length++] = octets[at] ?? 0;
  }

  /** @throws RangeError if it does not fit */
  name(name: Uint8Array): void {
    if (this.length + name.length > MAX_MESSAGE_OCTETS) throw tooLongError();
    this.length = this.names.write(name, this.length);
  }

  /** Writes at most `uncompressedLength()` octets. @throws RangeError if it does not fit */
  record(owner: Uint8Array, type: number, recordClass: number, ttl: number, rdata: Uint8Array): void {
    this.owner(owner);
    if (this.length + RECORD_FIXED_OCTETS > MAX_MESSAGE_OCTETS) throw tooLongError();
    this.uint16(type);
    this.uint16(recordClass);
    this.uint32(ttl);
    const names = COMPRESSED_RDATA.get(type);
    // An UPDATE has records without data (RFC 2136 §2.5.2), and a primary may send any octets.
    if (names !== undefined && hasNames(rdata, names)) {
      this.rdataWithNames(rdata, names);
      return;
    }
    this.uint16(rdata.length);
    this.copy(rdata);
  }

  private owner(owner: Uint8Array): void {
    if (owner === this.lastOwner && owner.length > 1) {
      this.uint16(0xc000 | this.lastOwnerAt);
      return;
    }
    const at = this.length;
    this.name(owner);
    this.lastOwner = at <= 0x3fff ? owner : null;
    this.lastOwnerAt = at;
  }

  private rdataWithNames(rdata: Uint8Array, { before, names }: NamesInRdata): void {
    const start = this.length + 2;
    this.length = start;
    this.copy(rdata, 0, before);
    let at = before;
    for (let written = 0; written < names; written++) {
      const end = endOfName(rdata, at);
      // Most RDATA is one name, and a view costs more than its octets.
      this.name(at === 0 && end === rdata.length ? rdata : rdata.subarray(at, end));
      at = end;
    }
    this.copy(rdata, at);
    this.octets.writeUInt16BE(this.length - start, start - 2);
  }
}

export function uncompressedLength(owner: Uint8Array, rdata: Uint8Array): number {
  return owner.length + RECORD_FIXED_OCTETS + rdata.length;
}

function hasNames(rdata: Uint8Array, { before, names }: NamesInRdata): boolean {
  let at = before;
  for (let read = 0; read < names; read++) {
    const start = at;
    for (let length = rdata[at] ?? 0; length !== 0; length = rdata[at] ?? 0) {
      if (length > MAX_LABEL_OCTETS) return false;
      at += length + 1;
    }
    at += 1;
    if (at > rdata.length || at - start > MAX_NAME_OCTETS) return false;
  }
  return true;
}

function endOfName(octets: Uint8Array, start: number): number {
  let at = start;
  for (let length = octets[at] ?? 0; length !== 0; length = octets[at] ?? 0) at += length + 1;
  return at + 1;
}

function tooLongError(): RangeError {
  return new RangeError(`a message has at most ${MAX_MESSAGE_OCTETS} octets`);
}

/** RFC 1035 §4.1.4: pointers have 14 bits. */
const LAST_TARGET = 0x3fff;
const POINTER = 0xc000;

/** A power of two, several times the number of names that 16 KiB can hold. */
const SLOTS = 8192;
/** Users can provoke collisions, so writes names in full after this number. */
const MAX_PROBES = 16;
const NONE = -1;
const MAX_LABELS = 128;

/**
 * Compresses names (RFC 1035 §4.1.4), only to targets of the same case, which keeps case (RFC 5936 §3.4). Identifies a
 * name by its first label and the offset of its parent, 0 for the root. Never compares whole names.
 */
class NameCompression {
  /** Label offset in each slot; 0 if free. */
  private readonly offsets = new Uint16Array(SLOTS);
  /** Offset of the parent name in each slot. */
  private readonly parents = new Uint16Array(SLOTS);
  private readonly labelStarts = new Uint8Array(MAX_LABELS);
  /** Slot for the label that the last lookup did not find. */
  private freeSlot = NONE;

  constructor(private readonly octets: Buffer) {}

  clear(): void {
    this.offsets.fill(0);
  }

  /** Returns the offset after the name. @param name uncompressed */
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

  /** Adds the first labels of a written name, as far as pointers reach. */
  private enter(name: Uint8Array, labels: number, at: number, parentOfLast: number): void {
    let parent = parentOfLast;
    for (let label = labels - 1; label >= 0; label--) {
      const start = this.labelStarts[label] ?? 0;
      if (at + start > LAST_TARGET) return;
      // `find` has set the slot of the first missing label.
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

  private hasLabel(offset: number, name: Uint8Array, start: number): boolean {
    const end = start + (name[start] ?? 0);
    for (let at = start, other = offset; at <= end; at++, other++) if (this.octets[other] !== name[at]) return false;
    return true;
  }
}
