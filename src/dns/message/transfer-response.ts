import { type Edns, optOctets, padded } from './edns.js';
import { MAX_MESSAGE_OCTETS } from './message-buffer.js';
import { HEADER_OCTETS } from './wire.js';
import { responseHeader, writeHeader } from './header.js';
import type { Header, Message } from './message.js';
import { writeMessage } from './message-writer.js';
import type { MessageSigner } from './tsig/message-signer.js';
import { Rcode } from './codes.js';
import type { AnswerSection } from './transfer-writer.js';

const LENGTH_OCTETS = 2;

/** Wraps rendered sections into the messages of one AXFR or IXFR answer (RFC 5936 §2.2, RFC 1995 §4). */
export class TransferResponse {
  private readonly header: Header;
  /** In the case of the request. Only in the first message. */
  private readonly question: Buffer;
  private readonly opt: Uint8Array;
  private readonly edns: Edns | null;

  /**
   * @param request one question
   * @param edns for the first message, if the request has one (RFC 5936 §2.2.5)
   * @param isPadded every message has EDNS with padding (RFC 9103 §9)
   */
  constructor(
    request: Message,
    private readonly signer: MessageSigner | null,
    edns: Edns | null = null,
    private readonly isPadded = false,
  ) {
    this.edns = edns;
    this.header = responseHeader(request.header, Rcode.NOERROR);
    this.question = writeMessage({ header: this.header, questions: request.questions }).subarray(HEADER_OCTETS);
    this.opt = edns === null ? new Uint8Array() : optOctets(edns, Rcode.NOERROR);
  }

  /** Returns the next TCP message with its length prefix. @throws RangeError for a section of another zone */
  frame(section: AnswerSection): Buffer {
    const isFirst = section.offset > HEADER_OCTETS;
    if (isFirst && section.offset !== HEADER_OCTETS + this.question.length)
      throw new RangeError('the section is of another zone than the question');
    const opt = this.isPadded ? this.paddedOpt(section) : isFirst ? this.opt : NO_OPT;
    const end = section.offset + section.octets.length + opt.length;
    const frame = Buffer.allocUnsafeSlow(LENGTH_OCTETS + end + (this.signer?.size ?? 0));
    frame.writeUInt16BE(frame.length - LENGTH_OCTETS);
    const message = frame.subarray(LENGTH_OCTETS);
    writeHeader(message, this.header, [isFirst ? 1 : 0, section.count, 0, opt.length > 0 ? 1 : 0]);
    if (isFirst) message.set(this.question, HEADER_OCTETS);
    message.set(section.octets, section.offset);
    message.set(opt, section.offset + section.octets.length);
    this.signer?.append(message, end);
    return frame;
  }

  private paddedOpt({ offset, octets }: AnswerSection): Uint8Array {
    if (this.edns === null) return NO_OPT;
    const most = MAX_MESSAGE_OCTETS - (this.signer?.size ?? 0);
    const unpadded = offset + octets.length + this.opt.length;
    return unpadded > most ? NO_OPT : optOctets(padded(this.edns, unpadded, most), Rcode.NOERROR);
  }

  datagram(section: AnswerSection): Buffer {
    return this.frame(section).subarray(LENGTH_OCTETS);
  }
}

const NO_OPT = new Uint8Array();
