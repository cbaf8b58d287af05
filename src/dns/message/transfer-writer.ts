import type { DomainName } from '../name.js';
import { RecordClass } from './codes.js';
import { HEADER_OCTETS } from './wire.js';
import { MAX_MESSAGE_OCTETS, MessageBuffer, RECORD_FIXED_OCTETS, uncompressedLength } from './message-buffer.js';
import { QUESTION_FIXED_OCTETS } from './message.js';

/** Compression pointers reach 16 KiB, so longer messages compress worse. */
const MESSAGE_OCTETS = 16 * 1024;
/** Octets of OPT and TSIG: a key name of 255 octets, a SHA-512 MAC, and a cookie (RFC 8945 §4.2). */
const RESERVED_OCTETS = 512;
const MAX_NAME_OCTETS = 255;

/** Fits with any zone, owner and key name. A zone may have longer RDATA, a transfer may not. */
export const MAX_TRANSFERRED_RDATA =
  MAX_MESSAGE_OCTETS -
  RESERVED_OCTETS -
  HEADER_OCTETS -
  (MAX_NAME_OCTETS + QUESTION_FIXED_OCTETS) -
  (MAX_NAME_OCTETS + RECORD_FIXED_OCTETS);

/** Answer section of one transfer message, independent of a request and therefore cacheable. */
export interface AnswerSection {
  readonly count: number;
  /** Offset in the message: after the question in the first one, after the header in the others. */
  readonly offset: number;
  readonly octets: Buffer;
}

/** Renders transfer records (RFC 5936 §2.2, RFC 1995 §4) into sections. Holds one message at a time. */
export class TransferWriter {
  private readonly buffer = new MessageBuffer();
  private readonly firstOffset: number;
  private readonly fill: number;
  private offset = 0;
  private count = 0;

  /** @param messageSize octets; a longer record gets its own message */
  constructor(apex: DomainName, messageSize = MESSAGE_OCTETS) {
    this.firstOffset = HEADER_OCTETS + apex.wire.length + QUESTION_FIXED_OCTETS;
    this.fill = messageSize - RESERVED_OCTETS;
    this.begin(this.firstOffset);
  }

  /**
   * An AXFR begins and ends with the SOA. @returns the previous section if it has no room for the record
   * @throws RangeError for RDATA of more than `MAX_TRANSFERRED_RDATA` octets
   */
  add(owner: DomainName, type: number, ttl: number, rdata: Uint8Array): AnswerSection | null {
    if (rdata.length > MAX_TRANSFERRED_RDATA)
      throw new RangeError(`RDATA of ${rdata.length} octets does not fit into a message`);
    const isFull = this.count > 0 && this.buffer.length + uncompressedLength(owner.wire, rdata) > this.fill;
    const section = isFull ? this.end(HEADER_OCTETS) : null;
    this.buffer.record(owner.wire, type, RecordClass.IN, ttl, rdata);
    this.count++;
    return section;
  }

  /** Returns the last section. The next record begins another transfer. */
  finish(): AnswerSection {
    return this.end(this.firstOffset);
  }

  private end(nextOffset: number): AnswerSection {
    const section = { count: this.count, offset: this.offset, octets: this.buffer.copyFrom(this.offset) };
    this.begin(nextOffset);
    return section;
  }

  private begin(offset: number): void {
    this.buffer.start(offset);
    this.offset = offset;
    this.count = 0;
  }
}
