import { createServer, type Server, type Socket } from 'node:net';
import { clientOfAddress } from '../../common/network/client-address.js';
import { ConnectionsByClient } from '../../common/network/connections-by-client.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { EventLoopTurns } from '../../common/waiting/event-loop-turns.js';
import type { NameServerLimits } from '../publishing.options.js';
import type { QueryGate } from './query-gate.js';
import type { QueryHandler } from './query-handler.js';
import { Connection, type ConnectionSettings } from './connection.js';

/** How often connections are held against their times, in milliseconds. */
const SWEEP = 1000;
/** Of what waits in Node for a client, in octets. */
const BUFFERED = 64 * 1024;
/** For how long small messages are answered in one turn of the event loop, in milliseconds. */
const LONGEST_TURN = 1;

/** The TCP side of the name server: its connections, bounded in all and for each client (RFC 7766 §6.2.2). */
export class TcpServer {
  readonly server: Server;
  private readonly open = new ConnectionsByClient<Connection>();
  private readonly settings: ConnectionSettings;
  private readonly tooMany = new ThrottledLogger();
  private readonly tooSlow = new ThrottledLogger();
  private readonly sweep: NodeJS.Timeout;

  constructor(
    admission: QueryGate,
    answers: QueryHandler,
    private readonly limits: NameServerLimits,
  ) {
    const brokenOff = new ThrottledLogger();
    const warn = (message: string) => brokenOff.warn(message);
    this.settings = {
      admission,
      answers,
      limits,
      warn,
      turns: new EventLoopTurns(LONGEST_TURN),
      transferTurns: new EventLoopTurns(),
    };
    // A client may end its side and wait for answers (RFC 7766 §6.2.4). Small answers do not wait for others.
    const options = { allowHalfOpen: true, noDelay: true, highWaterMark: BUFFERED };
    this.server = createServer(options, (socket) => this.add(socket));
    this.sweep = setInterval(() => this.closeOverdue(), SWEEP).unref();
  }

  /** From then on the server's errors are logged instead of being the caller's. */
  watch(): void {
    const failureLog = new ThrottledLogger();
    this.server.on('error', (error) => failureLog.warn(`TCP of the name server: ${error.message}`));
  }

  /**
   * Accepts nothing more, and resolves when all connections are closed: each when it has been answered what it has asked.
   * @param grace in seconds; what is not answered by then is cut off
   */
  async close(grace: number): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const connection of this.open.all()) connection.end();
    const timer = setTimeout(() => this.destroyAll(), grace * 1000);
    await closed;
    clearTimeout(timer);
    clearInterval(this.sweep);
  }

  private add(socket: Socket): void {
    const connection = new Connection(socket, this.settings);
    const client = clientOfAddress(connection.client.address);
    this.open.add(client, connection);
    socket.once('close', () => this.open.remove(client, connection));
    const own = this.open.of(client);
    if (own.size > this.limits.connectionsPerAddress) this.closeOneOf(client, own);
    else if (this.open.count > this.limits.connections) this.closeOneOf(...this.open.largest());
  }

  /** The one that has been idle for longest; where all are busy, the newest, which has the least to lose. */
  private closeOneOf(client: string, own: ReadonlySet<Connection>): void {
    this.tooMany.warn(
      `${client} has ${own.size} of ${this.open.count} connections to the name server; one of these is closed`,
    );
    const [idlest] = [...own].filter(({ isBusy }) => !isBusy).sort((one, other) => one.activeAt - other.activeAt);
    const closed = idlest ?? [...own].at(-1);
    closed?.destroy();
    // Not only when its end is announced: more may arrive in the same turn.
    if (closed !== undefined) this.open.remove(client, closed);
  }

  private closeOverdue(): void {
    const now = performance.now();
    for (const connection of this.open.all()) {
      const reason = connection.overdue(now);
      if (reason === null) continue;
      if (reason !== 'idle') this.tooSlow.warn(`${connection.client.address} ${reason}, and is cut off`);
      connection.destroy();
    }
  }

  private destroyAll(): void {
    for (const connection of this.open.all()) connection.destroy();
  }
}
