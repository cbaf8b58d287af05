import type { Question } from '../../dns/message/question.js';
import { Opcode } from '../../dns/message/opcode.js';
import type { DnsClient, Peer } from './dns-client.js';
import { DnsStream } from './dns-stream.js';
import type { Inquiry, Reply } from './exchange.js';
import { Pace } from './pace.js';

/** NSD limits answers to 200 a second unless it is told otherwise; not those over TCP. */
const DATAGRAMS = { rate: 150, burst: 50 };
const BY_STREAM = { rate: 1000, burst: 100 };
/** Where so many wait for datagrams, a connection is cheaper. */
const MANY = 20;
/** A server that did not answer over TCP is not tried again for so long, in milliseconds. */
const STREAM_RETRY_INTERVAL = 60_000;

/** Asks one server for SOA and other records: by UDP, and where many are to be asked for, over one TCP connection (RFC 7766). */
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

  /**
   * @param timeLimit for the answer to each attempt, in milliseconds
   * @returns `null` where it was not asked, because too many questions wait
   */
  async ask(question: Question, timeLimit: number): Promise<Reply | null> {
    const inquiry = { opcode: Opcode.QUERY, question };
    const early = this.datagramPace.length < MANY ? null : await this.askByStream(inquiry, timeLimit);
    if (early !== null) return early;
    if (!(await this.datagramPace.turn())) return null;
    const reply = await this.client.ask(this.peer, inquiry, timeLimit);
    // RFC 2181 §9, and how servers that limit answers say that they would answer over TCP.
    if (reply.message?.header.isTruncated !== true) return reply;
    return (await this.askByStream(inquiry, timeLimit)) ?? reply;
  }

  /** Whether questions wait: serials come before all else. */
  get isBusy(): boolean {
    return this.datagramPace.length > 0;
  }

  end(): void {
    this.datagramPace.end();
    this.streamPace.end();
    this.stream.end();
  }

  /** `null` where nothing comes of it. */
  private async askByStream(inquiry: Inquiry, timeLimit: number): Promise<Reply | null> {
    if (!this.mayStream() || !(await this.streamPace.turn())) return null;
    // What was asked meanwhile may have failed.
    if (!this.mayStream()) return null;
    const before = this.answeredByStream;
    const reply = await this.stream.ask(inquiry, timeLimit);
    if (reply.message !== null) {
      this.answeredByStream += 1;
      return reply;
    }
    // A connection that was closed after some answers is opened again.
    if (this.answeredByStream === before) this.streamFailedAt = performance.now();
    return null;
  }

  private mayStream(): boolean {
    return performance.now() - this.streamFailedAt > STREAM_RETRY_INTERVAL;
  }
}
