import { DomainName, NameError } from '../name.js';

/** Octets that end too early or have no legal name where one is read. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** Reads numbers, octets and names one after the other (RFC 1035 §3.3, §4.1). Throws a WireError where there is none. */
export class WireReader {
  /** @param at where the first of them stands */
  constructor(
    protected readonly wire: Uint8Array,
    protected at = 0,
  ) {}

  /** How many octets are left. */
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

  /** A view of the octets, not a copy. */
  octets(count: number): Uint8Array {
    if (count > this.remaining) throw new WireError('the octets end too early');
    this.at += count;
    return this.wire.subarray(this.at - count, this.at);
  }

  /** A view of all octets that are left. */
  rest(): Uint8Array {
    return this.octets(this.remaining);
  }

  assertAtEnd(): void {
    if (this.remaining > 0) throw new WireError(`${this.remaining} octets too many`);
  }

  /** An uncompressed name. */
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
