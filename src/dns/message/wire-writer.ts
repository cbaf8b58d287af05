import type { DomainName } from '../name.js';

/** Writes numbers, octets and names one after the other, in network order (RFC 1035 §3.3, §4.1). */
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

  /** A copy of what was written. */
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
