import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { RareWarning } from '../../common/rare-warning.js';
import { clientOfAddress } from './client-address.js';

/**
 * Bounds the connections of a server. Beyond the bound the client that has most of them loses one, so that nobody keeps
 * others out by opening many.
 */
export class Connections {
  /** The oldest of each client comes first. */
  private readonly byClient = new Map<string, Set<Socket>>();
  private count = 0;
  private readonly warning = new RareWarning();

  /** @param isBusy tells whether a request is under way on a connection; one without loses less */
  constructor(
    private readonly bound: number,
    private readonly isBusy: (socket: Socket) => boolean,
  ) {}

  watch(server: Server): void {
    // Of node:https this is the connection below TLS, which has its descriptor.
    server.on('connection', (socket: Socket) => this.add(socket));
  }

  private add(socket: Socket): void {
    const client = clientOfAddress(socket.remoteAddress ?? '');
    const own = this.byClient.get(client) ?? new Set();
    this.byClient.set(client, own.add(socket));
    this.count += 1;
    socket.once('close', () => this.remove(client, socket));
    if (this.count > this.bound) this.closeOne(socket);
  }

  private remove(client: string, socket: Socket): void {
    const own = this.byClient.get(client);
    if (own?.delete(socket) !== true) return;
    this.count -= 1;
    if (own.size === 0) this.byClient.delete(client);
  }

  private closeOne(newest: Socket): void {
    const [client, sockets] = this.largest();
    this.warning.warn(`there are ${this.bound} connections, ${sockets.size} of them from ${client}, which loses one`);
    const idle = [...sockets].find((socket) => socket !== newest && !this.isBusy(socket));
    const [oldest] = sockets;
    const closed = idle ?? (sockets.has(newest) ? newest : oldest);
    closed?.destroy();
    // Not only when its end is announced: more may arrive in the same turn.
    if (closed !== undefined) this.remove(client, closed);
  }

  private largest(): [client: string, sockets: ReadonlySet<Socket>] {
    let largest: [string, ReadonlySet<Socket>] = ['', new Set()];
    for (const entry of this.byClient) if (entry[1].size > largest[1].size) largest = entry;
    return largest;
  }
}
