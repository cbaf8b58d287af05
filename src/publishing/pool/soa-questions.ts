import type { Question } from '../../dns/message/message.js';
import { Opcode } from '../../dns/message/codes.js';
import type { DnsClient, Peer, Inquiry, Reply } from './dns-client.js';
import { DnsStream } from './dns-stream.js';
import { TokenBucket } from '../../common/waiting/token-bucket.js';

/** NSD limits UDP answers to 200 per second by default, but not TCP answers. */
const DATAGRAMS = { rate: 150, burst: 50 };
const BY_STREAM = { rate: 1000, burst: 100 };
/** Queue length from which a TCP connection is cheaper. */
const MANY = 20;
/** In milliseconds. */
const STREAM_RETRY_INTERVAL = 60_000;

/** Queries one server over UDP, and over one TCP connection under load (RFC 7766). */
export class SoaQuestions {
  private readonly datagramPace = new Pace(DATAGRAMS.rate, DATAGRAMS.burst);
  private readonly streamPace = new Pace(BY_STREAM.rate, BY_STREAM.burst);
  private readonly stream: DnsStream;
  private answeredByStream = 0;
  private streamFailedAt = -Infinity;

  constructor(
    private readonly peer: Peer,
    private readonly client: DnsClient,
  ) {
    this.stream = new DnsStream(peer, client.clock);
  }

  /** Returns `null` if the queue was full. `timeLimit` is for each attempt, in milliseconds. */
  async ask(question: Question, timeLimit: number): Promise<Reply | null> {
    const inquiry = { opcode: Opcode.QUERY, question };
    const early = this.datagramPace.length < MANY ? null : await this.askByStream(inquiry, timeLimit);
    if (early !== null) return early;
    if (!(await this.datagramPace.turn())) return null;
    const reply = await this.client.ask(this.peer, inquiry, timeLimit);
    // RFC 2181 §9. Rate-limited servers also set TC to request TCP.
    if (reply.message?.header.isTruncated !== true) return reply;
    return (await this.askByStream(inquiry, timeLimit)) ?? reply;
  }

  /** Whether questions wait. Serial queries have priority. */
  get isBusy(): boolean {
    return this.datagramPace.length > 0;
  }

  end(): void {
    this.datagramPace.end();
    this.streamPace.end();
    this.stream.end();
  }

  private async askByStream(inquiry: Inquiry, timeLimit: number): Promise<Reply | null> {
    if (!this.mayStream() || !(await this.streamPace.turn())) return null;
    // An earlier question may have failed meanwhile.
    if (!this.mayStream()) return null;
    const before = this.answeredByStream;
    const reply = await this.stream.ask(inquiry, timeLimit);
    if (reply.message !== null) {
      this.answeredByStream += 1;
      return reply;
    }
    // Reopens a connection that was closed after some answers.
    if (this.answeredByStream === before) this.streamFailedAt = performance.now();
    return null;
  }

  private mayStream(): boolean {
    return performance.now() - this.streamFailedAt > STREAM_RETRY_INTERVAL;
  }
}

/** Beyond this length, the oldest entries get no turn. */
const LONGEST_QUEUE = 10_000;

/** Limits messages to one server, newest first: a new change does not wait behind the backlog. */
export class Pace {
  private readonly waiting: ((isTurn: boolean) => void)[] = [];
  private readonly bucket: TokenBucket;
  private readonly interval: number;
  private timer: NodeJS.Timeout | undefined;

  /** @param rate per second */
  constructor(rate: number, burst: number) {
    this.interval = 1000 / rate;
    this.bucket = new TokenBucket(this.interval, burst);
  }

  get length(): number {
    return this.waiting.length;
  }

  /** Resolves to `true` when the caller may send; to `false` if the queue is full or closed. */
  turn(): Promise<boolean> {
    if (this.waiting.length === 0 && this.bucket.tryTake()) return Promise.resolve(true);
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length > LONGEST_QUEUE) this.waiting.shift()?.(false);
      this.timer ??= setTimeout(() => this.serve(), this.interval);
    });
  }

  end(): void {
    clearTimeout(this.timer);
    for (const go of this.waiting.splice(0)) go(false);
  }

  private serve(): void {
    while (this.waiting.length > 0 && this.bucket.tryTake()) this.waiting.pop()?.(true);
    this.timer = this.waiting.length > 0 ? setTimeout(() => this.serve(), this.interval) : undefined;
  }
}
