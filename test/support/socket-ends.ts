import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** Server behavior for a new connection; its timers end with the connection. */
type Manners = (socket: Socket) => void;

export interface SocketEnd {
  /** A sentence goes on with it: "a target that …". */
  readonly what: string;
  /** `null`: no connection is ever taken. */
  readonly manners: Manners | null;
}

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const A_LOT = Buffer.alloc(65_536, 'a');
const silent: Manners = (socket) => void socket.resume();

/** Failures of connections with any protocol. */
export const SOCKET_ENDS: readonly SocketEnd[] = [
  { what: 'takes no connection', manners: null },
  { what: 'says nothing', manners: silent },
  { what: 'reads nothing', manners: (socket) => void socket.pause() },
  { what: 'closes at once', manners: (socket) => void socket.end() },
  { what: 'resets at once', manners: (socket) => void socket.resetAndDestroy() },
  { what: 'closes its half once it was asked', manners: onceAsked((socket) => void socket.end()) },
  { what: 'resets once it was asked', manners: onceAsked((socket) => void socket.resetAndDestroy()) },
  { what: 'says one octet', manners: onceAsked((socket) => void socket.write('H')) },
  { what: 'says something else', manners: onceAsked((socket) => void socket.write('220 mail.example.org ESMTP\r\n')) },
  { what: 'says one octet a time', manners: onceAsked((socket) => repeat(socket, 'H', 50)) },
  { what: 'says zeros without end', manners: onceAsked((socket) => flood(socket, Buffer.alloc(65_536))) },
];

/** Failures of HTTP connections. */
export const HTTP_ENDS: readonly SocketEnd[] = [
  ...SOCKET_ENDS,
  says('switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: none\r\n\r\n'),
  says('switches protocols without a word of it', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  says('says that it goes on', 'HTTP/1.1 100 Continue\r\n\r\n'),
  {
    what: 'hints without end',
    manners: onceAsked((socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1000))),
  },
  {
    what: 'hints now and then',
    manners: onceAsked((socket) => repeat(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n', 200)),
  },
  says('stops in its status', 'HTTP/1.1 20'),
  says('stops in its headers', HEAD),
  { what: 'has a header without end', manners: after(`${HEAD}X-Long: `, (socket) => flood(socket, A_LOT)) },
  { what: 'has headers without end', manners: after(HEAD, (socket) => flood(socket, 'X-More: a\r\n'.repeat(5000))) },
  { what: 'has a header now and then', manners: after(HEAD, (socket) => repeat(socket, 'X-More: a\r\n', 50)) },
  says('stops behind its headers', `${HEAD}Content-Length: 100\r\n\r\n`),
  says('stops in its body', `${HEAD}Content-Length: 100\r\n\r\n{"a":`),
  {
    what: 'closes in its body',
    manners: after(`${HEAD}Content-Length: 100\r\n\r\n{"a":`, (socket) => void socket.end()),
  },
  {
    what: 'resets in its body',
    manners: after(`${HEAD}Content-Length: 100\r\n\r\n{"a":`, (socket) => {
      setTimeout(() => socket.resetAndDestroy(), 50);
    }),
  },
  {
    what: 'has a body that dribbles',
    manners: after(`${HEAD}Content-Length: 1000\r\n\r\n`, (socket) => repeat(socket, ' ', 50)),
  },
  says('has chunks that are none', `${HEAD}Transfer-Encoding: chunked\r\n\r\nno length\r\n`),
  {
    what: 'has a chunk extension without end',
    manners: after(`${HEAD}Transfer-Encoding: chunked\r\n\r\n1;a=`, (socket) => flood(socket, A_LOT)),
  },
  says('has two lengths', `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`),
];

/** Failures of TLS connections. */
export const TLS_ENDS: readonly SocketEnd[] = [
  ...SOCKET_ENDS,
  // RFC 8446 §5.1: a record of a handshake, whose 16,384 octets do not come.
  { what: 'stops in its handshake', manners: onceAsked((socket) => void socket.write(Buffer.of(22, 3, 3, 64, 0, 2))) },
  {
    what: 'dribbles its handshake',
    manners: onceAsked((socket) => {
      socket.write(Buffer.of(22, 3, 3, 64, 0));
      repeat(socket, Buffer.of(2), 50);
    }),
  },
];

function onceAsked(manners: Manners): Manners {
  return (socket) => {
    socket.once('data', () => manners(socket));
  };
}

function after(text: string, manners: Manners): Manners {
  return onceAsked((socket) => socket.write(text, () => manners(socket)));
}

function says(what: string, text: string): SocketEnd {
  return { what, manners: onceAsked((socket) => void socket.write(text)) };
}

function repeat(socket: Socket, octets: string | Buffer, everyMs: number): void {
  const timer = setInterval(() => socket.write(octets), everyMs);
  socket.once('close', () => clearInterval(timer));
}

/** As fast as it is taken. */
function flood(socket: Socket, octets: string | Buffer): void {
  const write = (): void => {
    if (socket.writable && socket.write(octets)) setImmediate(write);
  };
  socket.on('drain', write);
  write();
}

/** Servers with failing sockets, each at a separate loopback port. */
export class EndingServers {
  private readonly servers: Server[] = [];
  private readonly deaf: DeafPort[] = [];
  private readonly sockets = new Set<Socket>();

  /** Returns the port. */
  async listen({ manners }: SocketEnd): Promise<number> {
    if (manners === null) {
      const deaf = await DeafPort.open();
      this.deaf.push(deaf);
      return deaf.port;
    }
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      // Stays half-open briefly, until the client's close is visible.
      socket.once('end', () => void setTimeout(() => socket.destroy(), 100));
      socket.once('close', () => this.sockets.delete(socket));
      manners(socket);
    }).listen(0, '127.0.0.1');
    this.servers.push(server);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  /** Connections that are held here. */
  get open(): number {
    return this.sockets.size;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    for (const server of this.servers) server.close();
    await Promise.all(this.deaf.map((each) => each.close()));
  }
}

/** Longer than loopback takes for a connection, in milliseconds. */
const NOT_TAKEN = 300;
const LISTEN_AND_SLEEP = `
const { parentPort } = require('node:worker_threads');
const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort.postMessage(server.address().port);
  setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 20);
});`;

/** A port at which a thread listens that sleeps, with as many before it as may wait: no connection comes about. */
class DeafPort {
  private constructor(
    readonly port: number,
    private readonly worker: Worker,
    private readonly waiting: readonly Socket[],
  ) {}

  static async open(): Promise<DeafPort> {
    const worker = new Worker(LISTEN_AND_SLEEP, { eval: true });
    const [port] = (await once(worker, 'message')) as [number];
    await delay(100);
    const waiting: Socket[] = [];
    for (;;) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      waiting.push(socket);
      const isTaken = await Promise.race([once(socket, 'connect').then(() => true), delay(NOT_TAKEN, false)]);
      if (!isTaken) return new DeafPort(port, worker, waiting);
    }
  }

  async close(): Promise<void> {
    for (const socket of this.waiting) socket.destroy();
    await this.worker.terminate();
  }
}
