import { DomainName } from '../name.js';
import { HEADER_OCTETS } from './header.js';
import { WireError, WireReader } from './wire-reader.js';

const MAX_NAME_OCTETS = 255;
/** More than any name needs, which has 127 labels at most; without a bound, pointers to pointers would cost hours. */
const MAX_POINTERS = 128;

/** Reads a part of a message, in which names may be compressed (RFC 1035 §4.1.4). */
export class CompressedReader extends WireReader {
  /** Reads from the offset on, and not behind the end; pointers lead into all of the message before. */
  constructor(message: Uint8Array, at: number, end = message.length) {
    super(end === message.length ? message : message.subarray(0, end), at);
  }

  /** How many octets of the message have been read. */
  get offset(): number {
    return this.at;
  }

  /**
   * The uncompressed form of the name that begins here. Each pointer must lead to before the labels behind which it stands,
   * so that none leads in a circle.
   * @throws WireError
   */
  override name(): DomainName {
    let from = this.at;
    let length = this.readLabels(from, 0);
    this.at = this.endOfLabels;
    for (let pointers = 0; this.pointer !== 0; pointers++) {
      if (this.pointer < HEADER_OCTETS) throw new WireError('a pointer leads into the header');
      if (this.pointer >= from) throw new WireError('a pointer does not lead backwards');
      if (pointers === MAX_POINTERS) throw new WireError('a name has too many pointers');
      from = this.pointer;
      length = this.readLabels(from, length);
    }
    return DomainName.read(SCRATCH.subarray(0, length));
  }

  /** What `readLabels` found behind the labels: the offset to which a pointer leads, 0 for the root; and where that ended. */
  private pointer = 0;
  private endOfLabels = 0;

  /** Appends labels to the name in SCRATCH, up to the root or a pointer; returns how long the name is now. */
  private readLabels(from: number, length: number): number {
    let at = from;
    let end = length;
    while (true) {
      const octet = this.wire[at];
      if (octet === undefined) throw new WireError('a name is cut off');
      if (octet >= 0xc0) {
        this.readPointer(at);
        return end;
      }
      if (octet > 0x3f) throw new WireError('a label has an unknown type');
      const next = at + octet + 1;
      if (next > this.wire.length) throw new WireError('a name is cut off');
      if (end + octet + 1 > MAX_NAME_OCTETS) throw new WireError(`a name is longer than ${MAX_NAME_OCTETS} octets`);
      while (at < next) SCRATCH[end++] = this.wire[at++] ?? 0;
      if (octet === 0) {
        this.pointer = 0;
        this.endOfLabels = at;
        return end;
      }
    }
  }

  private readPointer(at: number): void {
    const high = this.wire[at] ?? 0;
    const low = this.wire[at + 1];
    if (low === undefined) throw new WireError('a pointer is cut off');
    this.pointer = ((high & 0x3f) << 8) | low;
    if (this.pointer === 0) throw new WireError('a pointer leads into the header');
    this.endOfLabels = at + 2;
  }
}

/** A name is put together here. */
const SCRATCH = new Uint8Array(MAX_NAME_OCTETS);
