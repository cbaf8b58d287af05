import { type Edns, type EdnsOption, udpPayloadLimit } from '../../dns/message/edns.js';
import { responseHeader } from '../../dns/message/header.js';
import type { Message } from '../../dns/message/message.js';
import type { MessageError } from '../../dns/message/message-error.js';
import type { MessageSigner } from '../../dns/message/tsig/message-signer.js';
import { writeMessage } from '../../dns/message/message-writer.js';
import { Rcode } from '../../dns/message/rcode.js';
import type { ResourceRecord } from '../../dns/message/resource-record.js';
import { TransferResponse } from '../../dns/message/transfer-response.js';
import type { AnswerSection, ZoneAnswer } from '../transfers/zone-source.js';
import type { Client } from './client.js';

/** No datagram of more octets leaves or is asked for: it passes every usual network in one piece (RFC 9715 §3.1). */
const LARGEST_DATAGRAM = 1232;
const LARGEST_MESSAGE = 0xffff;
/** Of a datagram for who has shown nothing but an address, which anybody can write (RFC 1035 §4.2.1). */
export const SMALLEST_DATAGRAM = 512;

/** Makes the answers to one request: with EDNS where it has EDNS, signed as it asks for, never too large for its sender. */
export class ResponseBuilder {
  private readonly edns: Edns | null;
  private readonly limit: number;

  /**
   * @param options of EDNS, for the answer
   * @param largestDatagram in octets
   */
  constructor(
    private readonly request: Message,
    client: Client,
    options: readonly EdnsOption[] = [],
    private readonly signer: MessageSigner | null = null,
    largestDatagram = LARGEST_DATAGRAM,
  ) {
    const { edns } = request;
    this.edns = edns && { ...OUR_EDNS, isDnssecOk: edns.isDnssecOk, options };
    this.limit = client.transport === 'tcp' ? LARGEST_MESSAGE : udpPayloadLimit(edns, largestDatagram);
  }

  /** The whole answer; where it is too large for a datagram, one without records that says so (RFC 2181 §9). */
  message(rcode: number, answers: readonly ResourceRecord[] = []): Buffer {
    const isAuthoritative = rcode === Rcode.NOERROR && this.request.questions.length > 0;
    return this.answer({ rcode, isAuthoritative, answers, authorities: [] });
  }

  /** The same of what a zone says. */
  answer(answer: ZoneAnswer): Buffer {
    const cut = { ...answer, answers: [], authorities: [] };
    return this.fitting(this.written(answer)) ?? this.signed(this.written(cut, true));
  }

  /** What becomes of an UPDATE: its zone section, where all went well (RFC 2136 §3.8). */
  verdict(rcode: number): Buffer {
    const { header, questions } = this.request;
    return this.signed(
      writeMessage({
        header: { ...responseHeader(header, rcode), isAuthoritative: false },
        questions: rcode === Rcode.NOERROR ? questions : [],
        edns: this.edns,
      }),
    );
  }

  /** What answers with the messages of a transfer. */
  transfer(): TransferResponse {
    return new TransferResponse(this.request, this.signer, this.edns);
  }

  /** The one message of a transfer as a datagram; `null` where it is too large. */
  datagram(section: AnswerSection): Buffer | null {
    const least = section.offset + section.octets.length + (this.signer?.size ?? 0);
    if (least > this.limit) return null;
    const datagram = this.transfer().datagram(section);
    return datagram.length > this.limit ? null : datagram;
  }

  private written({ rcode, isAuthoritative, answers, authorities }: ZoneAnswer, isTruncated = false): Buffer {
    const { header, questions } = this.request;
    return writeMessage({
      header: { ...responseHeader(header, rcode), isAuthoritative, isTruncated },
      questions,
      answers,
      authorities,
      edns: this.edns,
    });
  }

  private fitting(message: Buffer): Buffer | null {
    return message.length + (this.signer?.size ?? 0) > this.limit ? null : this.signed(message);
  }

  private signed(message: Buffer): Buffer {
    return this.signer === null ? message : this.signer.sign(message);
  }
}

/** The answer to what is no request that can be served; `null` where nobody is answered. */
export function refusalOf({ rcode, request }: MessageError): Buffer | null {
  if (request === null) return null;
  const { header, question } = request;
  return writeMessage({
    header: { ...responseHeader(header, rcode), isAuthoritative: false },
    questions: question === null ? [] : [question],
    // An RCODE of more than four bits needs it.
    edns: rcode > 0xf ? OUR_EDNS : null,
  });
}

const OUR_EDNS: Edns = { udpPayloadSize: LARGEST_DATAGRAM, version: 0, isDnssecOk: false, options: [] };
