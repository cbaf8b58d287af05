import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { clientOfAddress } from '../../common/network/client-address.js';
import { ConnectionsByClient } from '../../common/network/connections-by-client.js';

/** For how long nothing is taken from a client that was shut out, in milliseconds. */
const SHUT_OUT_FOR = 5000;

/**
 * Bounds the connections of a server. Beyond the bound the client that has most of them loses one, so that nobody keeps
 * others out by opening many.
 */
export class HttpConnections {
  private readonly open = new ConnectionsByClient<Socket>();
  private readonly shutOutUntil = new Map<string, number>();
  /** Those who wait until there are none. */
  private readonly waiting: (() => void)[] = [];
  private readonly tooMany = new ThrottledLogger();
  private readonly tooFast = new ThrottledLogger();

  /**
   * @param isBusy tells whether a request is under way on a connection; one without loses less
   * @param isProxy tells whether many clients share an address
   */
  constructor(
    private readonly bound: number,
    private readonly isBusy: (socket: Socket) => boolean,
    private readonly isProxy: (address: string) => boolean,
  ) {}

  watch(server: Server): void {
    // Of node:https this is the connection below TLS, which has its descriptor.
    server.on('connection', (socket: Socket) => this.add(socket));
  }

  /** Resolves when there are none. */
  ended(): Promise<void> {
    if (this.open.count === 0) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /**
   * Closes what a client has open and not under way, and takes nothing from it for five seconds: to read what it has sent
   * on each of many connections would be most of the work that it asks for. A trusted proxy loses the one connection.
   */
  shutOut({ remoteAddress = '' }: Socket): void {
    this.tooFast.warn(`too many requests wait on a connection of ${remoteAddress}; it is closed`);
    if (this.isProxy(remoteAddress)) return;
    const now = performance.now();
    for (const [client, until] of this.shutOutUntil) if (until < now) this.shutOutUntil.delete(client);
    const client = clientOfAddress(remoteAddress);
    this.shutOutUntil.set(client, now + SHUT_OUT_FOR);
    for (const socket of this.open.of(client)) if (!this.isBusy(socket)) socket.destroy();
  }

  private add(socket: Socket): void {
    const client = clientOfAddress(socket.remoteAddress ?? '');
    if ((this.shutOutUntil.get(client) ?? -Infinity) > performance.now()) return void socket.destroy();
    this.open.add(client, socket);
    socket.once('close', () => this.remove(client, socket));
    if (this.open.count > this.bound) this.closeOne(socket);
  }

  private remove(client: string, socket: Socket): void {
    this.open.remove(client, socket);
    if (this.open.count === 0) for (const resolve of this.waiting.splice(0)) resolve();
  }

  private closeOne(newest: Socket): void {
    const [client, sockets] = this.open.largest();
    this.tooMany.warn(
      `there are ${this.bound} connections, ${sockets.size} of them from ${client}; one of these is closed`,
    );
    const idle = [...sockets].find((socket) => socket !== newest && !this.isBusy(socket));
    const [oldest] = sockets;
    const closed = idle ?? (sockets.has(newest) ? newest : oldest);
    closed?.destroy();
    // Not only when its end is announced: more may arrive in the same turn.
    if (closed !== undefined) this.remove(client, closed);
  }
}
