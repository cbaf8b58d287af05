import type { Edns } from './edns.js';
import type { Question } from './question.js';
import type { ResourceRecord } from './resource-record.js';
import type { TsigRecord } from './tsig/tsig-record.js';

/** The header of a message without its counts (RFC 1035 §4.1.1, RFC 4035 §3). */
export interface Header {
  readonly id: number;
  readonly opcode: number;
  /** Of a message with EDNS all twelve bits (RFC 6891 §6.1.3), otherwise four. */
  readonly rcode: number;
  readonly isResponse: boolean;
  readonly isAuthoritative: boolean;
  readonly isTruncated: boolean;
  readonly isRecursionDesired: boolean;
  readonly isRecursionAvailable: boolean;
  readonly isAuthenticData: boolean;
  readonly isCheckingDisabled: boolean;
}

/** A DNS message as it was read (RFC 1035 §4.1). */
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
