import { requestHeader } from '../../dns/message/header.js';
import type { Header, Message } from '../../dns/message/message.js';
import { readMessage } from '../../dns/message/message-reader.js';
import { writeMessage } from '../../dns/message/message-writer.js';
import { Opcode } from '../../dns/message/opcode.js';
import type { Question } from '../../dns/message/question.js';
import { TsigClient } from '../../dns/message/tsig/tsig-client.js';
import type { TsigKey, UnixClock } from '../../dns/message/tsig/tsig-key.js';

/** What a server is asked. */
export interface Inquiry {
  readonly opcode: number;
  readonly question: Question;
  /** What else the header says; a resolver is asked for recursion. */
  readonly flags?: Partial<Pick<Header, 'isRecursionDesired' | 'isAuthenticData'>>;
}

/** The answer, or why there is none. */
export type Reply = { readonly message: Message } | { readonly message: null; readonly reason: string };

/** How a request is signed, as its answer must be. */
export interface Signing {
  /** Signs the request, and must have signed the answer; `null`: nothing is signed. */
  readonly key: TsigKey | null;
  readonly clock: UnixClock;
}

/** A request with one question, and what counts as its answer, whichever way they travel. */
export class Exchange {
  /** The octets of the request. */
  readonly request: Buffer;
  readonly reply: Promise<Reply>;
  private resolve: (reply: Reply) => void = () => undefined;
  private readonly signature: TsigClient | null;
  private readonly timer: NodeJS.Timeout;
  /** What was wrong with an answer that did not count. */
  private fault: string | null = null;

  /** @param timeLimit for the answer, in milliseconds */
  constructor(
    id: number,
    private readonly inquiry: Inquiry,
    { key, clock }: Signing,
    timeLimit: number,
  ) {
    this.signature = key === null ? null : new TsigClient(key, clock);
    const request = messageOf(id, inquiry);
    this.request = this.signature?.sign(request) ?? request;
    this.reply = new Promise((resolve) => (this.resolve = resolve));
    // Where the event loop was held up, timers come before answers that have been there for long.
    this.timer = setTimeout(() => setImmediate(() => this.giveUp('no answer')), timeLimit);
  }

  /** Takes what has come under its id. What is not the answer, or not signed as it has to be, does not count. */
  receive(octets: Buffer): void {
    try {
      const message = readMessage(octets);
      if (!answers(message, this.inquiry)) return;
      this.signature?.verify(octets, message);
      this.settle({ message });
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error);
    }
  }

  /** @param reason why there is no answer; where one has come that did not count, that is said instead */
  giveUp(reason: string): void {
    this.settle(silence(this.fault ?? reason));
  }

  private settle(reply: Reply): void {
    clearTimeout(this.timer);
    this.resolve(reply);
  }
}

export function silence(reason: string): Reply {
  return { message: null, reason };
}

/** RFC 1996 §3.7 sets AA in a NOTIFY. */
function messageOf(id: number, { opcode, question, flags }: Inquiry): Buffer {
  const header = { ...requestHeader(id, opcode), isAuthoritative: opcode === Opcode.NOTIFY, ...flags };
  return writeMessage({ header, questions: [question] });
}

/** A server that could not read the question may leave it out. */
function answers({ header, questions }: Message, { opcode, question }: Inquiry): boolean {
  if (!header.isResponse || header.opcode !== opcode) return false;
  const [echoed] = questions;
  if (echoed === undefined) return header.rcode !== 0;
  return echoed.type === question.type && echoed.class === question.class && echoed.name.equals(question.name);
}
