import type { Edns } from './edns.js';
import type { Header } from './header.js';
import type { Question } from './question.js';
import type { ResourceRecord } from './resource-record.js';
import type { TsigRecord } from './tsig/tsig-record.js';

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
