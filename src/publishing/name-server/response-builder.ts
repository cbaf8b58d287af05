import {
  type Edns,
  EdnsOptionCode,
  type EdnsOption,
  ednsOption,
  padded,
  udpPayloadLimit,
} from '../../dns/message/edns.js';
import { responseHeader } from '../../dns/message/header.js';
import type { Message, MessageError, ResourceRecord } from '../../dns/message/message.js';
import type { MessageSigner } from '../../dns/message/tsig/message-signer.js';
import { writeMessage } from '../../dns/message/message-writer.js';
import { Rcode } from '../../dns/message/codes.js';
import { TransferResponse } from '../../dns/message/transfer-response.js';
import type { TlsClient } from './tls-listener.js';
import type { AnswerSection, ZoneAnswer } from '../transfers/zone-source.js';

/** Size limit for UDP, which avoids fragmentation on common networks (RFC 9715 §3.1). */
const LARGEST_DATAGRAM = 1232;
const LARGEST_MESSAGE = 0xffff;
/** Size limit for unauthenticated UDP clients, whose address may be forged (RFC 1035 §4.2.1). */
export const SMALLEST_DATAGRAM = 512;

/** Responses have EDNS if requested, TSIG if required, and respect the size limit of the client. */
export class ResponseBuilder {
  private readonly edns: Edns | null;
  private readonly limit: number;
  private readonly isPadded: boolean;

  /** @param largestDatagram in octets */
  constructor(
    private readonly request: Message,
    client: Client,
    options: readonly EdnsOption[] = [],
    private readonly signer: MessageSigner | null = null,
    largestDatagram = LARGEST_DATAGRAM,
  ) {
    const { edns } = request;
    this.edns = edns && { ...OUR_EDNS, isDnssecOk: edns.isDnssecOk, options };
    // Padding without encryption would only help amplification (RFC 7830 §6).
    this.isPadded = client.tls !== null && ednsOption(edns, EdnsOptionCode.PADDING) !== undefined;
    this.limit = client.transport === 'tcp' ? LARGEST_MESSAGE : udpPayloadLimit(edns, largestDatagram);
  }

  /** Returns the complete response. If it exceeds a datagram, returns one without records and with TC (RFC 2181 §9). */
  message(rcode: number, answers: readonly ResourceRecord[] = []): Buffer {
    const isAuthoritative = rcode === Rcode.NOERROR && this.request.questions.length > 0;
    return this.answer({ rcode, isAuthoritative, answers, authorities: [] });
  }

  answer(answer: ZoneAnswer): Buffer {
    const cut = { ...answer, answers: [], authorities: [] };
    return this.fitting(this.written(answer)) ?? this.signed(this.written(cut, true));
  }

  /** Returns the response to an UPDATE; it includes the zone section on success (RFC 2136 §3.8). */
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

  transfer(): TransferResponse {
    return new TransferResponse(this.request, this.signer, this.edns, this.isPadded);
  }

  /** Returns a transfer of one message as a datagram, or `null` if it is too large. */
  datagram(section: AnswerSection): Buffer | null {
    const least = section.offset + section.octets.length + (this.signer?.size ?? 0);
    if (least > this.limit) return null;
    const datagram = this.transfer().datagram(section);
    return datagram.length > this.limit ? null : datagram;
  }

  private written({ rcode, isAuthoritative, answers, authorities }: ZoneAnswer, isTruncated = false): Buffer {
    const { header, questions } = this.request;
    const message = (edns: Edns | null): Buffer =>
      writeMessage({
        header: { ...responseHeader(header, rcode), isAuthoritative, isTruncated },
        questions,
        answers,
        authorities,
        edns,
      });
    const plain = message(this.edns);
    if (!this.isPadded || this.edns === null) return plain;
    return message(padded(this.edns, plain.length, this.limit - (this.signer?.size ?? 0)));
  }

  private fitting(message: Buffer): Buffer | null {
    return message.length + (this.signer?.size ?? 0) > this.limit ? null : this.signed(message);
  }

  private signed(message: Buffer): Buffer {
    return this.signer === null ? message : this.signer.sign(message);
  }
}

/** Returns the response to an invalid request, or `null` if none is sent. */
export function refusalOf({ rcode, request }: MessageError): Buffer | null {
  if (request === null) return null;
  const { header, question } = request;
  return writeMessage({
    header: { ...responseHeader(header, rcode), isAuthoritative: false },
    questions: question === null ? [] : [question],
    // An RCODE above 15 needs EDNS.
    edns: rcode > 0xf ? OUR_EDNS : null,
  });
}

const OUR_EDNS: Edns = { udpPayloadSize: LARGEST_DATAGRAM, version: 0, isDnssecOk: false, options: [] };

export interface Client {
  /** Without zone ID; IPv4 addresses in dotted form. */
  readonly address: string;
  readonly transport: 'udp' | 'tcp';
  /** `null`: not over TLS. */
  readonly tls: TlsClient | null;
}

/** Normalizes a socket address: dual-stack sockets show IPv4 addresses as IPv6. */
export function clientAt(address: string, transport: Client['transport'], tls: TlsClient | null = null): Client {
  return { address: address.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*$/s, ''), transport, tls };
}
