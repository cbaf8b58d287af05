import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, Socket } from 'node:net';
import { tellParent } from '../../common/tell-parent.js';

type Message =
  /** To a worker, with a connection. */
  | { readonly zonewright: 'connection'; readonly id: number }
  /** From a worker: it has that connection; it starts or stops accepting them. */
  | { readonly zonewright: 'taken'; readonly id: number }
  | { readonly zonewright: 'takes' | 'leaves' };

/** While no worker accepts any. */
const MOST_WAITING = 1000;

/**
 * Keeps a connection until a worker confirms it. If the worker dies before, another one gets it, since no data has been
 * read. Node's own port sharing loses such a connection, and its client waits forever.
 */
export class HandedConnections {
  private readonly server = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, (socket) =>
    this.hand(socket.on('error', () => undefined)),
  );
  /** Unconfirmed connections; the next worker in rotation comes first. */
  private readonly workers = new Map<Worker, Map<number, Socket>>();
  private waiting: Socket[] = [];
  private count = 0;

  async listen(address: ListenOptions): Promise<AddressInfo> {
    this.server.listen(address);
    await once(this.server, 'listening');
    return this.server.address() as AddressInfo;
  }

  share(worker: Worker): void {
    worker.on('message', (message: Message) => {
      if (message.zonewright === 'takes') this.add(worker);
      if (message.zonewright === 'taken') this.letGo(worker, message.id);
      if (message.zonewright === 'leaves') this.remove(worker);
    });
    worker.once('exit', () => this.remove(worker));
  }

  /** Also closes unassigned connections. */
  close(): void {
    this.server.close();
    for (const socket of this.waiting) socket.destroy();
    this.waiting = [];
  }

  private add(worker: Worker): void {
    this.workers.set(worker, new Map());
    const waiting = this.waiting;
    this.waiting = [];
    for (const socket of waiting) this.hand(socket);
  }

  private remove(worker: Worker): void {
    const onTheirWay = this.workers.get(worker);
    this.workers.delete(worker);
    for (const socket of onTheirWay?.values() ?? []) this.hand(socket);
  }

  private letGo(worker: Worker, id: number): void {
    this.workers.get(worker)?.get(id)?.destroy();
    this.workers.get(worker)?.delete(id);
  }

  private hand(socket: Socket): void {
    const worker = this.next();
    if (worker === undefined) return this.keep(socket);
    const onTheirWay = this.workers.get(worker) ?? new Map<number, Socket>();
    // To the end of the rotation.
    this.workers.delete(worker);
    this.workers.set(worker, onTheirWay);
    const id = (this.count += 1);
    onTheirWay.set(id, socket);
    // Otherwise, the worker is about to exit.
    worker.send({ zonewright: 'connection', id } satisfies Message, socket, { keepOpen: true }, () => undefined);
  }

  /** The fewest unconfirmed connections: a blocked worker confirms none, and gets no more. */
  private next(): Worker | undefined {
    const [first] = [...this.workers].sort(([, one], [, other]) => one.size - other.size);
    return first?.[0];
  }

  private keep(socket: Socket): void {
    if (this.server.listening && this.waiting.length < MOST_WAITING) this.waiting.push(socket);
    else socket.destroy();
  }
}

/** In a worker. Returns a function that stops accepting connections. */
export function takeConnections(server: Server): () => void {
  let isTaking = true;
  process.on('message', (message: Message, socket: unknown) => {
    if (message.zonewright !== 'connection') return;
    if (!isTaking) {
      // The parent still has it.
      if (socket instanceof Socket) socket.destroy();
      return;
    }
    // Before any data is read: from then on only this worker has it.
    tellParent({ zonewright: 'taken', id: message.id } satisfies Message);
    if (!(socket instanceof Socket)) return;
    // As node:http does for its own connections.
    socket.allowHalfOpen = true;
    server.emit('connection', socket);
  });
  // Starts Node's request time-outs.
  server.emit('listening');
  tellParent({ zonewright: 'takes' } satisfies Message);
  return () => {
    isTaking = false;
    tellParent({ zonewright: 'leaves' } satisfies Message);
  };
}
