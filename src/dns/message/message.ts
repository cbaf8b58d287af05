import type { Edns } from './edns.js';
import type { TsigRecord } from './tsig/tsig-record.js';
import type { DomainName } from '../name.js';

/** Header without counts (RFC 1035 §4.1.1, RFC 4035 §3). */
export interface Header {
  readonly id: number;
  readonly opcode: number;
  /** Twelve bits with EDNS (RFC 6891 §6.1.3), otherwise four. */
  readonly rcode: number;
  readonly isResponse: boolean;
  readonly isAuthoritative: boolean;
  readonly isTruncated: boolean;
  readonly isRecursionDesired: boolean;
  readonly isRecursionAvailable: boolean;
  readonly isAuthenticData: boolean;
  readonly isCheckingDisabled: boolean;
}

/** RFC 1035 §4.1. */
export interface Message {
  readonly header: Header;
  readonly questions: readonly Question[];
  readonly answers: readonly ResourceRecord[];
  readonly authorities: readonly ResourceRecord[];
  /** Without OPT and TSIG. */
  readonly additionals: readonly ResourceRecord[];
  readonly edns: Edns | null;
  readonly tsig: TsigRecord | null;
}

/** RFC 1035 §4.1.2. */
export interface Question {
  readonly name: DomainName;
  readonly type: number;
  readonly class: number;
}

export const QUESTION_FIXED_OCTETS = 4;

/** RFC 1035 §4.1.3. */
export interface ResourceRecord {
  readonly owner: DomainName;
  readonly type: number;
  readonly class: number;
  /** Seconds. */
  readonly ttl: number;
  /** All names are uncompressed. */
  readonly rdata: Uint8Array;
}

export interface RefusedRequest {
  readonly header: Header;
  readonly question: Question | null;
}

/** Malformed or unsupported message, with the RCODE of the answer. */
export class MessageError extends Error {
  override readonly name = 'MessageError';

  constructor(
    /** Above 15 it needs EDNS in the answer (RFC 6891 §6.1.3). */
    readonly rcode: number,
    message: string,
    /** Null if no answer may be sent: the header is cut off, or the message is a response. */
    readonly request: RefusedRequest | null = null,
  ) {
    super(message);
  }
}

export function refusedRequest({ header, questions: [question] }: Message): RefusedRequest {
  return { header, question: question ?? null };
}
