import { setTimeout as delay } from 'node:timers/promises';
import { DomainName } from '../../src/dns/name.js';
import { SOA } from '../../src/dns/rdata/index.js';
import { MetaType } from '../../src/dns/message/codes.js';
import type { TsigKey } from '../../src/dns/message/tsig/tsig-key.js';
import { queryOf } from '../support/dns-client.js';
import { DOCUMENTED_KEY, DOCUMENTED_SECRET } from '../support/name-servers/name-servers.js';
import { transfer } from '../support/transfers.js';

const KEY: TsigKey = {
  name: DomainName.parse(`${DOCUMENTED_KEY}.`),
  algorithm: 'hmac-sha256',
  secret: Buffer.from(DOCUMENTED_SECRET, 'base64'),
};
/** From one answer to the next question, in milliseconds. */
const PAUSE = 50;

/** The answers that a name server got. */
export interface Answered {
  questions: number;
  /** Failures instead of an answer, such as SERVFAIL. */
  readonly refusals: string[];
  /** The longest that an answer took, in milliseconds. */
  longest: number;
}

/** Asks for the serial of a zone and for the whole zone in turns, all the time. */
export class AskingNameServer {
  private readonly answered: Answered = { questions: 0, refusals: [], longest: 0 };
  private readonly end = new AbortController();
  private readonly asking: Promise<void>;

  constructor(
    private readonly port: number,
    private readonly zone: string,
  ) {
    this.asking = this.ask();
  }

  async stop(): Promise<Answered> {
    this.end.abort();
    await this.asking;
    return this.answered;
  }

  private async ask(): Promise<void> {
    for (let at = 0; !this.end.signal.aborted; at += 1) {
      await this.askFor(at % 2 === 0 ? SOA.code : MetaType.AXFR);
      await delay(PAUSE);
    }
  }

  private async askFor(type: number): Promise<void> {
    const began = performance.now();
    this.answered.questions += 1;
    try {
      await transfer(this.port, queryOf({ name: this.zone, type }), KEY);
    } catch (error) {
      this.answered.refusals.push(String(error));
    }
    this.answered.longest = Math.max(this.answered.longest, Math.round(performance.now() - began));
  }
}
