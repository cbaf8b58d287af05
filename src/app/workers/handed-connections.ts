import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, Socket } from 'node:net';
import { tellParent } from '../../common/tell-parent.js';

/** What processes say to each other of connections. */
type Message =
  /** The parent to a worker, with a connection. */
  | { readonly zonewright: 'connection'; readonly id: number }
  /** A worker to its parent: it has that one; it may be handed some from now on; it takes none any more. */
  | { readonly zonewright: 'taken'; readonly id: number }
  | { readonly zonewright: 'takes' | 'leaves' };

/** Connections that may wait while no worker is there to take them. */
const MOST_WAITING = 1000;

/**
 * Listens for all workers, and hands each connection to one of them. It lets go of a connection when the worker has told that
 * it has it: one that was on its way to a worker that has died is handed to another, as nobody has read from it. Node's own
 * way for workers to share a port forgets such a connection, and its client waits for good.
 */
export class HandedConnections {
  private readonly server = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, (socket) =>
    this.hand(socket.on('error', () => undefined)),
  );
  /** What is on its way to each; the worker that is next in turn comes first. */
  private readonly workers = new Map<Worker, Map<number, Socket>>();
  private waiting: Socket[] = [];
  private count = 0;

  async listen(address: ListenOptions): Promise<AddressInfo> {
    this.server.listen(address);
    await once(this.server, 'listening');
    return this.server.address() as AddressInfo;
  }

  /** Hands connections to the worker as soon as it takes some, and for as long as it does. */
  share(worker: Worker): void {
    worker.on('message', (message: Message) => {
      if (message.zonewright === 'takes') this.add(worker);
      if (message.zonewright === 'taken') this.letGo(worker, message.id);
      if (message.zonewright === 'leaves') this.remove(worker);
    });
    worker.once('exit', () => this.remove(worker));
  }

  /** Takes no further connections, and ends those that nobody has taken. */
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
    // The worker has a descriptor of its own.
    this.workers.get(worker)?.get(id)?.destroy();
    this.workers.get(worker)?.delete(id);
  }

  private hand(socket: Socket): void {
    const worker = this.next();
    if (worker === undefined) return this.keep(socket);
    const onTheirWay = this.workers.get(worker) ?? new Map<number, Socket>();
    // To the end of the round.
    this.workers.delete(worker);
    this.workers.set(worker, onTheirWay);
    const id = (this.count += 1);
    onTheirWay.set(id, socket);
    // Where it cannot be told, the worker is about to be gone.
    worker.send({ zonewright: 'connection', id } satisfies Message, socket, { keepOpen: true }, () => undefined);
  }

  /** The one with the fewest connections on their way: one that stands still takes none, and gets no more. */
  private next(): Worker | undefined {
    const [first] = [...this.workers].sort(([, one], [, other]) => one.size - other.size);
    return first?.[0];
  }

  private keep(socket: Socket): void {
    if (this.server.listening && this.waiting.length < MOST_WAITING) this.waiting.push(socket);
    else socket.destroy();
  }
}

/**
 * In a worker: serves the connections that its parent hands over.
 * @returns what takes no more of them
 */
export function takeConnections(server: Server): () => void {
  let isTaking = true;
  process.on('message', (message: Message, socket: unknown) => {
    if (message.zonewright !== 'connection') return;
    if (!isTaking) {
      // The parent has it still.
      if (socket instanceof Socket) socket.destroy();
      return;
    }
    // Before anything is read from it: then it is this worker's alone.
    tellParent({ zonewright: 'taken', id: message.id } satisfies Message);
    if (!(socket instanceof Socket)) return;
    // As for connections that a server of node:http accepts itself.
    socket.allowHalfOpen = true;
    server.emit('connection', socket);
  });
  // From then on Node watches how long requests take to come.
  server.emit('listening');
  tellParent({ zonewright: 'takes' } satisfies Message);
  return () => {
    isTaking = false;
    tellParent({ zonewright: 'leaves' } satisfies Message);
  };
}
