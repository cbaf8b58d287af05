import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket as Stream } from 'node:net';
import { DomainName } from '../../src/dns/name.js';
import { SOA } from '../../src/dns/rdata/index.js';
import { responseHeader } from '../../src/dns/message/header.js';
import type { Message, ResourceRecord } from '../../src/dns/message/message.js';
import { MessageFrames } from '../../src/dns/message/message-frames.js';
import type { MessageSigner } from '../../src/dns/message/tsig/message-signer.js';
import { readRequest } from '../../src/dns/message/message-reader.js';
import { framed, writeMessage } from '../../src/dns/message/message-writer.js';
import { Opcode, Rcode } from '../../src/dns/message/codes.js';
import { type TsigKey, TsigKeys } from '../../src/dns/message/tsig/tsig-key.js';
import { verifyRequest } from '../../src/dns/message/tsig/tsig-request.js';
import { freePort } from './name-servers/name-servers.js';

export const TRANSFER_KEY = 'transfer.:hmac-sha256:MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';
const OTHER_SECRET = Buffer.alloc(32, 7);

/** Messages that a secondary received. */
export interface Heard {
  /** A `question` is for a serial, a `sample` for another record. */
  readonly kind: 'notify' | 'question' | 'sample';
  /** Absolute, in lower case. */
  readonly zone: string;
  /** `performance.now()` */
  readonly at: number;
  readonly id: number;
  readonly isSigned: boolean;
  readonly hasRecords: boolean;
  readonly transport: 'udp' | 'tcp';
}

/** How a secondary treats a message. */
export type Manners =
  'answer' | 'drop' | 'refuse' | 'truncate' | 'wrong-key' | 'unsigned' | 'wrong-id' | 'wrong-question';

export interface SecondaryPlan {
  readonly isSigned?: boolean;
  /** Closes a TCP connection after this many responses; without it TCP is disabled. */
  readonly answersOfStream?: number;
}

/** A name server of the test: it has the serials that the test gives it, and may behave badly. */
export class Secondary {
  readonly heard: Heard[] = [];
  /** By absolute name in lower case; queries for other names are refused. */
  readonly serials = new Map<string, number>();
  /** Called with the zone of a NOTIFY that was answered: a real one transfers it now. */
  onNotify: ((zone: string) => void) | null = null;
  manners: (heard: Heard) => Manners = () => 'answer';
  /** Answers NOTIFYs together, once this many zones were notified. */
  notifiesAtOnce = 1;
  /** Records of other types; `null`: refuses the query. */
  records: (name: string, type: number) => readonly ResourceRecord[] | null = () => null;
  /** In milliseconds. */
  delay = 0;
  /** Added to its clock, in seconds. */
  clockOffset = 0;
  /** How many TCP connections it was opened. */
  connections = 0;
  private readonly open = new Set<Stream>();
  /** Pending responses to NOTIFYs. */
  private readonly held: (() => void)[] = [];
  private readonly notified = new Set<string>();

  private constructor(
    private readonly socket: Socket,
    private readonly key: TsigKey | null,
    /** Asked over TCP, at the same port; `null`: it is not. */
    private readonly streams: Server | null,
    /** Closes a connection after this many responses. */
    private readonly answersOfStream: number,
  ) {
    streams?.on('connection', (stream) => this.take(stream));
    socket.on('message', (octets, from) => this.receive(octets, 'udp', (answer) => this.send(answer, from)));
  }

  static async start({ isSigned = false, answersOfStream }: SecondaryPlan = {}): Promise<Secondary> {
    const streams = answersOfStream === undefined ? null : createServer();
    const port = await freePort();
    if (streams !== null) await once(streams.listen(port, '127.0.0.1'), 'listening');
    const socket = createSocket('udp4');
    socket.bind(port, '127.0.0.1');
    await once(socket, 'listening');
    return new Secondary(socket, isSigned ? keyOf(TRANSFER_KEY) : null, streams, answersOfStream ?? 0);
  }

  get port(): number {
    return this.socket.address().port;
  }

  /** As the configuration names it. */
  get address(): string {
    return `127.0.0.1:${this.port}${this.key === null ? '' : '@transfer'}`;
  }

  notifiesOf(zone: string): Heard[] {
    return this.heard.filter((one) => one.kind === 'notify' && one.zone === zone.toLowerCase());
  }

  questionsOf(zone: string): Heard[] {
    return this.heard.filter((one) => one.kind === 'question' && one.zone === zone.toLowerCase());
  }

  async stop(): Promise<void> {
    this.streams?.close();
    for (const stream of this.open) stream.destroy();
    this.socket.close();
    await once(this.socket, 'close');
  }

  private take(stream: Stream): void {
    this.connections += 1;
    this.open.add(stream);
    stream.on('error', () => undefined);
    stream.once('close', () => this.open.delete(stream));
    const frames = new MessageFrames();
    let left = this.answersOfStream;
    const send = (answer: Buffer): void => {
      if (left === 0 || stream.destroyed) return;
      stream.write(framed(answer));
      left -= 1;
      if (left === 0) stream.end();
    };
    stream.on('data', (chunk) => {
      frames.add(chunk);
      for (let octets = frames.next(); octets !== null; octets = frames.next()) this.receive(octets, 'tcp', send);
    });
  }

  private receive(octets: Buffer, transport: Heard['transport'], send: (answer: Buffer) => void): void {
    const request = readRequest(octets);
    const heard = this.note(request, transport);
    const manners = this.manners(heard);
    if (manners === 'drop') return;
    const answer = this.answerTo(octets, request, heard, manners);
    if (heard.kind === 'notify' && manners === 'answer') this.onNotify?.(heard.zone);
    if (heard.kind === 'notify') this.hold(heard.zone, () => send(answer));
    else setTimeout(() => send(answer), this.delay);
  }

  private hold(zone: string, answer: () => void): void {
    this.notified.add(zone);
    this.held.push(answer);
    if (this.notified.size < this.notifiesAtOnce) return;
    for (const send of this.held.splice(0)) setTimeout(send, this.delay);
  }

  private send(answer: Buffer, { port, address }: RemoteInfo): void {
    try {
      this.socket.send(answer, port, address);
    } catch {
      // It was stopped meanwhile.
    }
  }

  private note({ header, questions: [question], answers, tsig }: Message, transport: Heard['transport']): Heard {
    const heard: Heard = {
      kind: header.opcode === Opcode.NOTIFY ? 'notify' : question!.type === SOA.code ? 'question' : 'sample',
      zone: question!.name.toString().toLowerCase(),
      at: performance.now(),
      id: header.id,
      isSigned: tsig !== null,
      hasRecords: answers.length > 0,
      transport,
    };
    this.heard.push(heard);
    return heard;
  }

  private answerTo(octets: Buffer, request: Message, heard: Heard, manners: Manners): Buffer {
    const signer = this.signerOf(octets, request, manners);
    const sampled = heard.kind === 'sample' ? this.records(heard.zone, request.questions[0]!.type) : null;
    const serial =
      heard.kind === 'question' ? this.serials.get(heard.zone) : heard.kind === 'notify' || sampled ? 0 : undefined;
    const isRefused = manners === 'refuse' || serial === undefined || signer === 'refuse';
    const isTruncated = manners === 'truncate';
    const rcode = isRefused ? Rcode.REFUSED : Rcode.NOERROR;
    const header = { ...responseHeader(request.header, rcode), isTruncated, isAuthoritative: !isRefused };
    const [question] = request.questions;
    const other = { ...question!, name: DomainName.parse('other.example.') };
    const answer = writeMessage({
      header: manners === 'wrong-id' ? { ...header, id: header.id ^ 1 } : header,
      questions: [manners === 'wrong-question' ? other : question!],
      answers: isRefused || isTruncated || heard.kind === 'notify' ? [] : (sampled ?? [soaOf(question!.name, serial)]),
    });
    return signer === null || signer === 'refuse' ? answer : signer.sign(answer);
  }

  private signerOf(octets: Buffer, request: Message, manners: Manners): MessageSigner | 'refuse' | null {
    if (this.key === null || manners === 'unsigned') return null;
    const key = manners === 'wrong-key' ? { ...this.key, secret: OTHER_SECRET } : this.key;
    const clock = (): number => Math.floor(Date.now() / 1000) + this.clockOffset;
    return verifyRequest(octets, request, new TsigKeys([key]), clock)?.signer ?? 'refuse';
  }
}

function keyOf(text: string): TsigKey {
  const [name, , secret] = text.split(':');
  return { name: DomainName.parse(name!), algorithm: 'hmac-sha256', secret: Buffer.from(secret!, 'base64') };
}

function soaOf(owner: DomainName, serial: number) {
  const rdata = Buffer.alloc(2 + 5 * 4);
  rdata.writeUInt32BE(serial, 2);
  return { owner, type: SOA.code, class: 1, ttl: 60, rdata };
}
