import type { Header, Message } from './message.js';
import type { Question } from './question.js';

/** What a refusal repeats of the request that it answers. */
export interface RefusedRequest {
  readonly header: Header;
  /** Null where none was read. */
  readonly question: Question | null;
}

/** Octets that are no message, or a message that is not served; with the RCODE that says so. */
export class MessageError extends Error {
  override readonly name = 'MessageError';

  constructor(
    /** A response code, such as `Rcode.FORMERR`; above 15 it needs EDNS in the answer (RFC 6891 §6.1.3). */
    readonly rcode: number,
    message: string,
    /** Whom to answer. Null where nobody is: the header is cut off, or the message is a response itself. */
    readonly request: RefusedRequest | null = null,
  ) {
    super(message);
  }
}

/** What to repeat of a request that was read. */
export function refusedRequest({ header, questions: [question] }: Message): RefusedRequest {
  return { header, question: question ?? null };
}
