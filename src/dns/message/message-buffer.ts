import { NameCompression } from './name-compression.js';
import { COMPRESSED_RDATA, type NamesInRdata } from './rdata-names.js';

/** What the length in front of a message of TCP can say (RFC 1035 §4.2.2). */
export const MAX_MESSAGE_OCTETS = 0xffff;
/** Type, class, TTL and length of the RDATA (RFC 1035 §4.1.3). */
export const RECORD_FIXED_OCTETS = 10;
const MAX_LABEL_OCTETS = 63;
const MAX_NAME_OCTETS = 255;
/** Fewer octets are copied faster one by one than by a call of `set()`. */
const FEW_OCTETS = 48;

/** A buffer for one message after the other, into which records are written with compressed names (RFC 1035 §4.1). */
export class MessageBuffer {
  /** The offset at which the next octet will be written. */
  length = 0;
  private readonly octets = Buffer.alloc(MAX_MESSAGE_OCTETS);
  private readonly names = new NameCompression(this.octets);
  /** An owner name, and where it was last written: records of one owner mostly follow each other. */
  private lastOwner: Uint8Array | null = null;
  private lastOwnerAt = 0;

  /** Begins another message; what stands before the offset is somebody else's matter. */
  start(offset: number): void {
    this.length = offset;
    this.names.clear();
    this.lastOwner = null;
  }

  /** A copy of what was written from the offset on, in memory of its own. */
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

  /** @throws RangeError where they do not fit */
  copy(octets: Uint8Array, from = 0, to = octets.length): void {
    if (this.length + to - from > MAX_MESSAGE_OCTETS) throw tooLongError();
    if (to - from > FEW_OCTETS) {
      this.octets.set(octets.subarray(from, to), this.length);
      this.length += to - from;
      return;
    }
    for (let at = from; at < to; at++) this.octets[this.length++] = octets[at] ?? 0;
  }

  /**
   * Writes a name, compressed.
   * @throws RangeError where it does not fit
   */
  name(name: Uint8Array): void {
    if (this.length + name.length > MAX_MESSAGE_OCTETS) throw tooLongError();
    this.length = this.names.write(name, this.length);
  }

  /**
   * Writes a record. It takes at most `uncompressedLength()` octets.
   * @throws RangeError where it does not fit
   */
  record(owner: Uint8Array, type: number, recordClass: number, ttl: number, rdata: Uint8Array): void {
    this.owner(owner);
    if (this.length + RECORD_FIXED_OCTETS > MAX_MESSAGE_OCTETS) throw tooLongError();
    this.uint16(type);
    this.uint16(recordClass);
    this.uint32(ttl);
    const names = COMPRESSED_RDATA.get(type);
    // An UPDATE has records without data (RFC 2136 §2.5.2), and a primary may have any octets.
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

  /** The length is written when it is known. */
  private rdataWithNames(rdata: Uint8Array, { before, names }: NamesInRdata): void {
    const start = this.length + 2;
    this.length = start;
    this.copy(rdata, 0, before);
    let at = before;
    for (let written = 0; written < names; written++) {
      const end = endOfName(rdata, at);
      // Mostly there is nothing else, and a view of it costs more than its octets.
      this.name(at === 0 && end === rdata.length ? rdata : rdata.subarray(at, end));
      at = end;
    }
    this.copy(rdata, at);
    this.octets.writeUInt16BE(this.length - start, start - 2);
  }
}

/** What the record takes when no name in it can be compressed. */
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
