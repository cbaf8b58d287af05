import { DomainName, NameError } from '../name.js';

/** RFC 1035 §4.1.1. */
export const HEADER_OCTETS = 12;

/** Octets that end too early, or an invalid name. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** Reads numbers, octets and names in order (RFC 1035 §3.3, §4.1). Throws WireError at the end. */
export class WireReader {
  /** @param at offset of the first octet */
  constructor(
    protected readonly wire: Uint8Array,
    protected at = 0,
  ) {}

  /** Number of octets left. */
  get remaining(): number {
    return this.wire.length - this.at;
  }

  uint8(): number {
    const octet = this.wire[this.at];
    if (octet === undefined) throw new WireError('the octets end too early');
    this.at += 1;
    return octet;
  }

  uint16(): number {
    return this.uint8() * 0x100 + this.uint8();
  }

  uint32(): number {
    return this.uint16() * 0x10000 + this.uint16();
  }

  /** Returns a view, not a copy. */
  octets(count: number): Uint8Array {
    if (count > this.remaining) throw new WireError('the octets end too early');
    this.at += count;
    return this.wire.subarray(this.at - count, this.at);
  }

  /** Returns a view of the remaining octets. */
  rest(): Uint8Array {
    return this.octets(this.remaining);
  }

  assertAtEnd(): void {
    if (this.remaining > 0) throw new WireError(`${this.remaining} octets too many`);
  }

  /** Reads an uncompressed name. */
  name(): DomainName {
    const name = this.readName();
    this.at += name.wire.length;
    return name;
  }

  private readName(): DomainName {
    try {
      return DomainName.read(this.wire, this.at);
    } catch (error) {
      throw error instanceof NameError ? new WireError(error.message) : error;
    }
  }
}

/** Writes numbers, octets and names in network order (RFC 1035 §3.3, §4.1). */
export class WireWriter {
  private buffer = new Uint8Array(64);
  private length = 0;

  uint8(value: number): this {
    this.reserve(1);
    this.buffer[this.length++] = value;
    return this;
  }

  uint16(value: number): this {
    return this.uint8(value >>> 8).uint8(value);
  }

  uint32(value: number): this {
    return this.uint16(value >>> 16).uint16(value);
  }

  octets(octets: Uint8Array): this {
    this.reserve(octets.length);
    this.buffer.set(octets, this.length);
    this.length += octets.length;
    return this;
  }

  /** Writes the name uncompressed. */
  name(name: DomainName): this {
    return this.octets(name.wire);
  }

  /** Returns a copy of the octets. */
  finish(): Uint8Array {
    return this.buffer.slice(0, this.length);
  }

  private reserve(octets: number): void {
    const needed = this.length + octets;
    if (needed <= this.buffer.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.buffer.length));
    larger.set(this.buffer);
    this.buffer = larger;
  }
}
