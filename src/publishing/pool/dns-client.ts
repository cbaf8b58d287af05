import { randomInt } from 'node:crypto';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6, SocketAddress } from 'node:net';
import type { TsigKey, UnixClock } from '../../dns/message/tsig/tsig-key.js';
import { Exchange, type Inquiry, type Reply, silence } from './exchange.js';

/** Who is asked. */
export interface Peer {
  /** An IP address. */
  readonly address: string;
  readonly port: number;
  /** Signs the request, and must have signed the answer; `null`: nothing is signed. */
  readonly key: TsigKey | null;
}

/** As many as fit into the 16 bits of an id, and a few tries are enough to find a free one. */
const MAX_AWAITED = 16_384;

/** Asks name servers over UDP: one socket for each family, random ids, one question in a message. */
export class DnsClient {
  private readonly sockets = new Map<string, Promise<Socket>>();
  private readonly awaited = new Map<string, Exchange>();
  private isClosed = false;

  constructor(readonly clock: UnixClock) {}

  /**
   * Sends one message and waits for its answer. An answer that is not from the server, to another question or not signed as
   * it has to be does not count.
   * @param timeLimit in milliseconds
   */
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
    if (octets.length >= 2) this.awaited.get(keyOf(octets.readUInt16BE(0), address, port))?.receive(octets);
  }
}

function keyOf(id: number, address: string, port: number): string {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  return `${id} ${new SocketAddress({ address, family }).address} ${port}`;
}
