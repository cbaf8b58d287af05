import { randomInt } from 'node:crypto';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6, SocketAddress } from 'node:net';
import type { TsigKey, UnixClock } from '../../dns/message/tsig/tsig-key.js';
import { requestHeader } from '../../dns/message/header.js';
import type { Header, Message, Question } from '../../dns/message/message.js';
import { readMessage } from '../../dns/message/message-reader.js';
import { writeMessage } from '../../dns/message/message-writer.js';
import { Opcode } from '../../dns/message/codes.js';
import { TsigClient } from '../../dns/message/tsig/tsig-client.js';

export interface Peer {
  readonly address: string;
  readonly port: number;
  /** Signs the request and verifies the answer; `null`: unsigned. */
  readonly key: TsigKey | null;
}

/** A quarter of the 16-bit IDs, so that a few random tries find a free one. */
const MAX_AWAITED = 16_384;

/** Queries name servers over UDP: one socket per address family, random IDs, one question per message. */
export class DnsClient {
  private readonly sockets = new Map<string, Promise<Socket>>();
  private readonly awaited = new Map<string, Exchange>();
  private isClosed = false;

  constructor(readonly clock: UnixClock) {}

  /** Accepts only answers from that address, to that question, with the required signature, in `timeLimit` ms. */
  async ask(peer: Peer, inquiry: Inquiry, timeLimit: number): Promise<Reply> {
    if (this.awaited.size >= MAX_AWAITED) return silence('too many questions wait for answers');
    const [key, id] = this.freeKey(peer);
    const exchange = new Exchange(id, inquiry, { key: peer.key, clock: this.clock }, timeLimit);
    this.awaited.set(key, exchange);
    await this.send(exchange.request, peer).catch((error: unknown) => {
      exchange.giveUp(error instanceof Error ? error.message : String(error));
    });
    const reply = await exchange.reply;
    this.awaited.delete(key);
    return reply;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const exchange of this.awaited.values()) exchange.giveUp('the service stops');
    const sockets = await Promise.allSettled(this.sockets.values());
    for (const result of sockets) if (result.status === 'fulfilled') result.value.close();
  }

  private freeKey({ address, port }: Peer): [key: string, id: number] {
    for (;;) {
      const id = randomInt(0x10000);
      const key = keyOf(id, address, port);
      if (!this.awaited.has(key)) return [key, id];
    }
  }

  private async send(octets: Buffer, { address, port }: Peer): Promise<void> {
    const socket = await this.socketFor(address);
    await new Promise<void>((resolve, reject) => {
      socket.send(octets, port, address, (error) => (error === null ? resolve() : reject(error)));
    });
  }

  private socketFor(address: string): Promise<Socket> {
    const type = isIPv6(address) ? 'udp6' : 'udp4';
    let socket = this.sockets.get(type);
    if (socket === undefined) {
      socket = this.open(type);
      this.sockets.set(type, socket);
      // The next query tries again.
      socket.catch(() => this.sockets.delete(type));
    }
    return socket;
  }

  private async open(type: 'udp4' | 'udp6'): Promise<Socket> {
    if (this.isClosed) throw new Error('the service stops');
    const socket = createSocket(type);
    socket.on('message', (octets, from) => this.receive(octets, from));
    // Workers would otherwise share the port and take each other's answers.
    socket.bind({ port: 0, exclusive: true });
    await once(socket, 'listening');
    // ICMP errors of an earlier datagram; its query times out.
    socket.on('error', () => undefined);
    return socket;
  }

  private receive(octets: Buffer, { address, port }: RemoteInfo): void {
    if (octets.length >= 2) this.awaited.get(keyOf(octets.readUInt16BE(0), address, port))?.receive(octets);
  }
}

function keyOf(id: number, address: string, port: number): string {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  return `${id} ${new SocketAddress({ address, family }).address} ${port}`;
}

export interface Inquiry {
  readonly opcode: number;
  readonly question: Question;
  /** Additional header flags, such as RD for a resolver. */
  readonly flags?: Partial<Pick<Header, 'isRecursionDesired' | 'isAuthenticData'>>;
}

export type Reply = { readonly message: Message } | { readonly message: null; readonly reason: string };

export interface Signing {
  readonly key: TsigKey | null;
  readonly clock: UnixClock;
}

export class Exchange {
  readonly request: Buffer;
  readonly reply: Promise<Reply>;
  private resolve: (reply: Reply) => void = () => undefined;
  private readonly signature: TsigClient | null;
  private readonly timer: NodeJS.Timeout;
  /** Error of the last ignored answer. */
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
    // After a blocked event loop, timers fire before answers that arrived in time.
    this.timer = setTimeout(() => setImmediate(() => this.giveUp('no answer')), timeLimit);
  }

  /** Ignores messages that are not the answer or lack the required signature. */
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

  /** @param reason reported unless an ignored answer has given a better one */
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

/** A server that cannot parse the question may omit it. */
function answers({ header, questions }: Message, { opcode, question }: Inquiry): boolean {
  if (!header.isResponse || header.opcode !== opcode) return false;
  const [echoed] = questions;
  if (echoed === undefined) return header.rcode !== 0;
  return echoed.type === question.type && echoed.class === question.class && echoed.name.equals(question.name);
}
