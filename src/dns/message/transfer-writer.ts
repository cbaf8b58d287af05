import type { DomainName } from '../name.js';
import { RecordClass } from './codes.js';
import { HEADER_OCTETS } from './header.js';
import { MAX_MESSAGE_OCTETS, MessageBuffer, RECORD_FIXED_OCTETS, uncompressedLength } from './message-buffer.js';
import { QUESTION_FIXED_OCTETS } from './question.js';

/** Pointers reach the first 16 KiB of a message, so longer messages make a longer transfer. */
const MESSAGE_OCTETS = 16 * 1024;
/** What OPT and TSIG take at most: a key name of 255 octets, the MAC of SHA-512, and a cookie (RFC 8945 §4.2). */
const RESERVED_OCTETS = 512;
const MAX_NAME_OCTETS = 255;

/**
 * As many octets of RDATA fit into a message whatever the names of zone, owner and key are. Records with more can stand in
 * a zone, but not in a transfer.
 */
export const MAX_TRANSFERRED_RDATA =
  MAX_MESSAGE_OCTETS -
  RESERVED_OCTETS -
  HEADER_OCTETS -
  (MAX_NAME_OCTETS + QUESTION_FIXED_OCTETS) -
  (MAX_NAME_OCTETS + RECORD_FIXED_OCTETS);

/**
 * The answer section of one message of a transfer, with its names compressed. It has nothing that differs from one request
 * to the next, so that it can be kept, and sent many times, by a `TransferResponse` each.
 */
export interface AnswerSection {
  /** How many records it has. */
  readonly count: number;
  /** The offset in its message: behind the question in the first message of a transfer, behind the header in the others. */
  readonly offset: number;
  readonly octets: Buffer;
}

/**
 * Writes the records of a transfer (RFC 5936 §2.2, RFC 1995 §4), message by message. It holds one message at a time,
 * however many there are.
 */
export class TransferWriter {
  private readonly buffer = new MessageBuffer();
  private readonly firstOffset: number;
  private readonly fill: number;
  private offset = 0;
  private count = 0;

  /**
   * @param apex the name of the zone, which is the question
   * @param messageSize up to how many octets messages are filled; one record that is longer has a message of its own
   */
  constructor(apex: DomainName, messageSize = MESSAGE_OCTETS) {
    this.firstOffset = HEADER_OCTETS + apex.wire.length + QUESTION_FIXED_OCTETS;
    this.fill = messageSize - RESERVED_OCTETS;
    this.begin(this.firstOffset);
  }

  /**
   * Adds the next record of class IN: of an AXFR the SOA, the others, and the SOA again.
   * @param ttl in seconds
   * @returns the section before, when the record had no room in it any more
   * @throws RangeError for RDATA of more than `MAX_TRANSFERRED_RDATA` octets
   */
  add(owner: DomainName, type: number, ttl: number, rdata: Uint8Array): AnswerSection | null {
    if (rdata.length > MAX_TRANSFERRED_RDATA) throw new RangeError(`no message has room for ${rdata.length} octets`);
    const isFull = this.count > 0 && this.buffer.length + uncompressedLength(owner.wire, rdata) > this.fill;
    const section = isFull ? this.end(HEADER_OCTETS) : null;
    this.buffer.record(owner.wire, type, RecordClass.IN, ttl, rdata);
    this.count++;
    return section;
  }

  /** The last section. What is added afterwards begins another transfer of the same zone. */
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
