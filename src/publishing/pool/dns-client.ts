import { randomInt } from 'node:crypto';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6, SocketAddress } from 'node:net';
import { requestHeader } from '../../dns/wire/header.js';
import type { Message } from '../../dns/wire/message.js';
import { readMessage } from '../../dns/wire/message-reader.js';
import { writeMessage } from '../../dns/wire/message-writer.js';
import { Opcode } from '../../dns/wire/opcode.js';
import type { Question } from '../../dns/wire/question.js';
import { TsigClient } from '../../dns/wire/tsig-client.js';
import type { TsigKey } from '../../dns/wire/tsig-key.js';

/** Who is asked. */
export interface Peer {
  /** An IP address. */
  readonly address: string;
  readonly port: number;
  /** Signs the request, and must have signed the answer; `null`: nothing is signed. */
  readonly key: TsigKey | null;
}

/** The answer, or why there is none. */
export type Reply = { readonly message: Message } | { readonly message: null; readonly reason: string };

interface Awaited {
  readonly opcode: number;
  readonly question: Question;
  readonly signature: TsigClient | null;
  /** What was wrong with an answer that did not count. */
  reason: string | null;
  readonly settle: (reply: Reply) => void;
}

/** As many as fit into the 16 bits of an id, and a few tries are enough to find a free one. */
const MAX_AWAITED = 16_384;

/** Asks name servers over UDP: one socket for each family, random ids, one question in a message. */
export class DnsClient {
  private readonly sockets = new Map<string, Promise<Socket>>();
  private readonly awaited = new Map<string, Awaited>();
  private isClosed = false;

  /** @param clock in seconds since 1970 */
  constructor(private readonly clock: () => number) {}

  /**
   * Sends one message and waits for its answer. An answer that is not from the server, to another question or not signed as
   * it has to be does not count.
   * @param patience in milliseconds
   */
  async ask(peer: Peer, opcode: number, question: Question, patience: number): Promise<Reply> {
    if (this.awaited.size >= MAX_AWAITED) return silence('too many questions wait for answers');
    const [key, id] = this.freeKey(peer);
    const signature = peer.key === null ? null : new TsigClient(peer.key, this.clock);
    const request = messageOf(id, opcode, question);
    const octets = signature === null ? request : signature.sign(request);
    const reply = new Promise<Reply>((resolve) => {
      const giveUp = (): void => awaited.settle(silence(awaited.reason ?? 'no answer'));
      // Where the event loop was held up, timers come before answers that have been there for long.
      const timer = setTimeout(() => setImmediate(giveUp), patience);
      const settle = (reply: Reply): void => {
        if (this.awaited.get(key) !== awaited) return;
        clearTimeout(timer);
        this.awaited.delete(key);
        resolve(reply);
      };
      const awaited: Awaited = { opcode, question, signature, reason: null, settle };
      this.awaited.set(key, awaited);
    });
    await this.send(octets, peer).catch((error: unknown) => {
      this.awaited.get(key)?.settle(silence(error instanceof Error ? error.message : String(error)));
    });
    return reply;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const { settle } of this.awaited.values()) settle(silence('the service stops'));
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
      // The next question tries again.
      socket.catch(() => this.sockets.delete(type));
    }
    return socket;
  }

  private async open(type: 'udp4' | 'udp6'): Promise<Socket> {
    if (this.isClosed) throw new Error('the service stops');
    const socket = createSocket(type);
    socket.on('message', (octets, from) => this.receive(octets, from));
    // Workers would share the port, and take each other's answers.
    socket.bind({ port: 0, exclusive: true });
    await once(socket, 'listening');
    // What the kernel says of an earlier datagram; whoever waits for an answer to it learns that there is none.
    socket.on('error', () => undefined);
    return socket;
  }

  private receive(octets: Buffer, { address, port }: RemoteInfo): void {
    if (octets.length < 2) return;
    const awaited = this.awaited.get(keyOf(octets.readUInt16BE(0), address, port));
    if (awaited === undefined) return;
    try {
      const message = readMessage(octets);
      if (!answers(message, awaited)) return;
      awaited.signature?.verify(octets, message);
      awaited.settle({ message });
    } catch (error) {
      awaited.reason = error instanceof Error ? error.message : String(error);
    }
  }
}

function silence(reason: string): Reply {
  return { message: null, reason };
}

function keyOf(id: number, address: string, port: number): string {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  return `${id} ${new SocketAddress({ address, family }).address} ${port}`;
}

/** RFC 1996 §3.7 sets AA in a NOTIFY. */
function messageOf(id: number, opcode: number, question: Question): Buffer {
  const header = { ...requestHeader(id, opcode), isAuthoritative: opcode === Opcode.NOTIFY };
  return writeMessage({ header, questions: [question] });
}

/** A server that could not read the question may leave it out. */
function answers({ header, questions }: Message, { opcode, question }: Awaited): boolean {
  if (!header.isResponse || header.opcode !== opcode) return false;
  const [echoed] = questions;
  if (echoed === undefined) return header.rcode !== 0;
  return echoed.type === question.type && echoed.class === question.class && echoed.name.equals(question.name);
}
