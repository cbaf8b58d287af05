import { randomInt } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { MessageFrames } from '../../dns/message/message-frames.js';
import { framed } from '../../dns/message/message-writer.js';
import type { UnixClock } from '../../dns/message/tsig/tsig-key.js';
import { type Peer, Exchange, type Inquiry, type Reply, silence } from './dns-client.js';

const MAX_AWAITED = 4096;
/** In milliseconds. */
const IDLE_TIMEOUT = 3000;

/** Queries a name server over TCP. Pipelines questions; answers come in any order (RFC 7766 §6.2.1.1). */
export class DnsStream {
  private readonly awaited = new Map<number, Exchange>();
  private socket: Socket | null = null;
  private hasEnded = false;

  /** @param mostOctets limit for one connection to an untrusted server */
  constructor(
    private readonly peer: Peer,
    private readonly clock: UnixClock,
    private readonly mostOctets = Infinity,
  ) {}

  /** @param timeLimit for connection and answer, in milliseconds */
  async ask(inquiry: Inquiry, timeLimit: number): Promise<Reply> {
    if (this.hasEnded) return silence('the service stops');
    if (this.awaited.size >= MAX_AWAITED) return silence('too many questions wait for answers');
    const id = this.freeId();
    const exchange = new Exchange(id, inquiry, { key: this.peer.key, clock: this.clock }, timeLimit);
    this.awaited.set(id, exchange);
    this.write(exchange.request);
    const reply = await exchange.reply;
    this.awaited.delete(id);
    return reply;
  }

  end(): void {
    this.hasEnded = true;
    this.socket?.destroy();
  }

  private freeId(): number {
    for (;;) {
      const id = randomInt(0x10000);
      if (!this.awaited.has(id)) return id;
    }
  }

  /** Sends all questions of one event loop turn in one segment. */
  private write(request: Buffer): void {
    const socket = (this.socket ??= this.open());
    if (socket.writableCorked === 0) {
      socket.cork();
      setImmediate(() => socket.uncork());
    }
    socket.write(framed(request));
  }

  private open(): Socket {
    const { address, port } = this.peer;
    const socket = connect({ host: address, port, noDelay: true });
    const frames = new MessageFrames();
    let reason = 'the connection was closed';
    socket.on('data', (chunk) => {
      if (socket.bytesRead > this.mostOctets) return void socket.destroy(new Error('it sends too much'));
      frames.add(chunk);
      for (let octets = frames.next(); octets !== null; octets = frames.next()) this.receive(octets);
    });
    socket.setTimeout(IDLE_TIMEOUT, () => socket.destroy());
    socket.on('error', (error) => (reason = error.message));
    socket.once('close', () => {
      this.socket = null;
      for (const exchange of this.awaited.values()) exchange.giveUp(reason);
    });
    return socket;
  }

  private receive(octets: Buffer): void {
    if (octets.length >= 2) this.awaited.get(octets.readUInt16BE(0))?.receive(octets);
  }
}
