import { HEADER_OCTETS, WireError, WireReader } from './wire.js';
import { DomainName } from '../name.js';

const MAX_NAME_OCTETS = 255;
/** More than a name has labels. Without a bound, pointers to pointers would take hours. */
const MAX_POINTERS = 128;

/** Reads names that may be compressed (RFC 1035 §4.1.4). */
export class CompressedReader extends WireReader {
  /** Reads from `at` to `end`. Pointers may lead to any earlier offset of the message. */
  constructor(message: Uint8Array, at: number, end = message.length) {
    super(end === message.length ? message : message.subarray(0, end), at);
  }

  get offset(): number {
    return this.at;
  }

  /** Each pointer must lead before the preceding labels, which rules out loops. @throws WireError */
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

  /** Results of `readLabels`: the target of the final pointer (0 for the root), and the offset after the labels. */
  private pointer = 0;
  private endOfLabels = 0;

  /** Appends labels to SCRATCH, up to the root or a pointer. Returns the new length. */
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

const SCRATCH = new Uint8Array(MAX_NAME_OCTETS);
