import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { EventLoopTurns } from '../../common/waiting/event-loop-turns.js';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { Limiter, type Release } from '../../common/waiting/limiter.js';
import { type NameServerLimits, PublishingOptions } from '../publishing.options.js';
import { QueryGate, type Query } from './query-gate.js';
import { QueryHandler, NotifyHandler } from './query-handler.js';
import { type Client, clientAt } from './response-builder.js';
import { createServer, type Server, type Socket, type AddressInfo } from 'node:net';
import { clientOfAddress } from '../../common/network/network.js';
import { ConnectionsByClient } from '../../common/network/connections-by-client.js';
import { Connection, type ConnectionSettings } from './connection.js';
import { lookup } from 'node:dns/promises';
import { type EventEmitter, once } from 'node:events';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { ZoneSource } from '../transfers/zone-source.js';
import { UpdateHandler } from './update-handler.js';
import { Handshake, type TlsClient, TlsListener } from './tls-listener.js';
import type { TLSSocket } from 'node:tls';
import { causeOf } from '../../common/service-error.js';
import { ConfigError } from '../../config/config-error.js';

/** Socket receive buffer, in octets; the kernel may limit it. */
const RECEIVE_BUFFER = 1024 * 1024;

/** Time per event loop turn for small messages, in milliseconds. */
const LONGEST_TURN_MS = 1;

/** UDP listener. Senders share the slots fairly. Drops datagrams without a slot; their senders retry. */
class UdpServer {
  readonly socket: UdpSocket;
  private readonly places: Limiter;
  private readonly reading = new FairLimiter({ inAll: 1 });
  private readonly turns = new EventLoopTurns(LONGEST_TURN_MS);
  private readonly gone = new AbortController();
  private readonly tooMany = new ThrottledLogger();
  private readonly failureLog = new ThrottledLogger();

  constructor(
    private readonly admission: QueryGate,
    private readonly answers: QueryHandler,
    limits: NameServerLimits,
    family: 4 | 6,
  ) {
    this.places = new Limiter({ inAll: limits.datagrams, perKey: 'share' });
    this.socket = createSocket({
      type: family === 6 ? 'udp6' : 'udp4',
      recvBufferSize: RECEIVE_BUFFER,
      // Only IP addresses occur here, and Node would otherwise start a resolver call for each.
      lookup: (address, _options, callback) => callback(null, address, family),
    });
    this.socket.on('message', (octets, sender) => this.receive(octets, sender));
  }

  watch(): void {
    this.socket.on('error', (error) => this.failureLog.warn(`Name server UDP socket: ${error.message}`));
  }

  close(): void {
    this.gone.abort();
    this.socket.close();
  }

  private receive(octets: Buffer, sender: RemoteInfo): void {
    // Port 0 cannot receive answers.
    if (sender.port === 0) return;
    const client = clientAt(sender.address, 'udp');
    const key = this.admission.senderOf(octets, client);
    const leave = this.places.tryTake(key);
    if (leave === null) {
      this.tooMany.warn(`Dropping datagrams of ${key}: too many wait for answers.`);
      return;
    }
    const release = this.reading.enter(key, () =>
      this.turns.add(() => this.read({ octets, sender, client, leave }, release)),
    );
  }

  private read({ octets, sender, client, leave }: Received, release: Release): void {
    // The next sender may have a datagram read, in this turn or the next one.
    release();
    if (this.gone.signal.aborted) return leave();
    const judged = this.admission.judge(octets, client);
    if (judged === null) return leave();
    if (!Buffer.isBuffer(judged)) return void this.answer(judged, sender).finally(leave);
    this.send(judged, sender);
    leave();
  }

  private async answer(query: Query, sender: RemoteInfo): Promise<void> {
    const answer = await this.answers.answer(query, this.gone.signal);
    if (Buffer.isBuffer(answer)) this.send(answer, sender);
    // Transfers run over TCP only.
    else answer.copy.release();
  }

  private send(datagram: Buffer, { address, port }: RemoteInfo): void {
    if (!this.gone.signal.aborted) this.socket.send(datagram, port, address);
  }
}

interface Received {
  readonly octets: Buffer;
  readonly sender: RemoteInfo;
  readonly client: Client;
  readonly leave: Release;
}

/** Interval of timeout and certificate checks, in milliseconds. */
const SWEEP = 1000;
/** Write buffer of a client, in octets. */
const BUFFERED = 64 * 1024;

/** TCP and TLS listeners with connection limits in total and per client (RFC 7766 §6.2.2). */
class TcpServer {
  readonly server: Server;
  readonly tls: TlsListener | null;
  private readonly open = new ConnectionsByClient<Connection | Handshake>();
  /** By remote address and port. */
  private readonly handshakes = new Map<string, Handshake>();
  private readonly settings: ConnectionSettings;
  private readonly tooMany = new ThrottledLogger();
  private readonly tooSlow = new ThrottledLogger();
  private readonly sweep: NodeJS.Timeout;

  constructor(
    admission: QueryGate,
    answers: QueryHandler,
    private readonly limits: NameServerLimits,
    tls: PublishingOptions['tls'],
    clientNames: readonly string[],
  ) {
    const brokenOff = new ThrottledLogger();
    const warn = (message: string) => brokenOff.warn(message);
    this.settings = {
      admission,
      answers,
      limits,
      warn,
      turns: new EventLoopTurns(LONGEST_TURN_MS),
      transferTurns: new EventLoopTurns(),
    };
    // A client may half-close and wait for answers (RFC 7766 §6.2.4).
    const options = { allowHalfOpen: true, noDelay: true, highWaterMark: BUFFERED };
    this.server = createServer(options, (socket) => this.add(socket, new Connection(socket, this.settings)));
    this.tls =
      tls &&
      new TlsListener(tls, clientNames, options, {
        onSocket: (socket) => this.beginHandshake(socket),
        onSecure: (socket, client) => this.endHandshake(socket, client),
      });
    this.sweep = setInterval(() => this.maintain(performance.now()), SWEEP).unref();
  }

  /** From now on, logs errors of the server instead of throwing them. */
  watch(): void {
    const failureLog = new ThrottledLogger();
    for (const server of this.servers)
      server.on('error', (error: Error) => failureLog.warn(`Name server TCP socket: ${error.message}`));
  }

  /** Resolves after all connections have got their answers. After `grace` seconds, cuts them off. */
  async close(grace: number): Promise<void> {
    const closed = Promise.all(this.servers.map((server) => new Promise((resolve) => server.close(resolve))));
    for (const connection of this.open.all()) connection.end();
    const timer = setTimeout(() => this.destroyAll(), grace * 1000);
    await closed;
    clearTimeout(timer);
    clearInterval(this.sweep);
  }

  private get servers(): readonly Server[] {
    return this.tls === null ? [this.server] : [this.server, this.tls.server];
  }

  private beginHandshake(socket: Socket): void {
    const handshake = new Handshake(socket);
    const place = placeOf(socket);
    this.handshakes.set(place, handshake);
    socket.once('close', () => this.handshakes.delete(place));
    this.add(socket, handshake);
  }

  private endHandshake(socket: TLSSocket, client: TlsClient): void {
    const handshake = this.handshakes.get(placeOf(socket));
    if (handshake !== undefined) this.open.remove(clientOf(socket), handshake);
    this.add(socket, new Connection(socket, this.settings, client));
  }

  private add(socket: Socket, connection: Connection | Handshake): void {
    const client = clientOf(socket);
    this.open.add(client, connection);
    socket.once('close', () => this.open.remove(client, connection));
    const own = this.open.of(client);
    if (own.size > this.limits.connectionsPerAddress) this.closeOneOf(client, own);
    else if (this.open.count > this.limits.connections) this.closeOneOf(...this.open.largest());
  }

  /** Closes the longest idle connection; if all are busy, the newest, which loses the least work. */
  private closeOneOf(client: string, own: ReadonlySet<Connection | Handshake>): void {
    this.tooMany.warn(
      `Closed a connection of ${client}, which has ${own.size} of ${this.open.count} connections to the name server.`,
    );
    const [idlest] = [...own].filter(({ isBusy }) => !isBusy).sort((one, other) => one.activeAt - other.activeAt);
    const closed = idlest ?? [...own].at(-1);
    closed?.destroy();
    // More connections may arrive before `close` is emitted.
    if (closed !== undefined) this.open.remove(client, closed);
  }

  private maintain(now: number): void {
    this.tls?.renew(now);
    this.closeOverdue(now);
  }

  private closeOverdue(now: number): void {
    for (const connection of this.open.all()) {
      const reason = connection.overdue(now);
      if (reason === null) continue;
      if (reason !== 'idle') this.tooSlow.warn(`Closed the connection of ${connection.address}: it ${reason}.`);
      connection.destroy();
    }
  }

  private destroyAll(): void {
    for (const connection of this.open.all()) connection.destroy();
  }
}

function placeOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function clientOf({ remoteAddress = '' }: Socket): string {
  return clientOfAddress(clientAt(remoteAddress, 'tcp').address);
}

/** Attempts to find a port that is free for both TCP and UDP. */
const ATTEMPTS = 10;

/** The DNS server for name servers, over UDP and TCP on one address and port (behaviour 12.1). */
@Injectable()
export class NameServer {
  private running: { readonly connections: TcpServer; readonly datagrams: UdpServer } | null = null;

  constructor(
    private readonly options: PublishingOptions,
    private readonly zones: ZoneSource,
    private readonly notifies: NotifyHandler,
    private readonly updates: UpdateHandler,
    private readonly clock: Clock,
  ) {}

  /** @throws Error of Node with its `code` for an occupied or missing address */
  async start(): Promise<AddressInfo> {
    await this.updates.start();
    const { host, port } = this.options.listen;
    // Both transports use the same address of a name.
    const { address } = await lookup(host);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.listen(address, port);
      } catch (error) {
        if (port !== 0 || attempt === ATTEMPTS || !isTaken(error)) throw error;
      }
    }
  }

  /** Resolves after the last answer. After `grace` seconds, cuts off transfers. */
  async stop(grace: number): Promise<void> {
    const { running } = this;
    this.running = null;
    await running?.connections.close(grace);
    running?.datagrams.close();
  }

  /** @throws Error for an occupied or missing address, which is not that of `listen` */
  private async listenForTls(tls: TlsListener | null): Promise<void> {
    const address = this.options.tls?.listen;
    if (tls === null || address === undefined) return;
    try {
      await listening(tls.server, (server) => server.listen(address));
    } catch (error) {
      throw new ConfigError(`[service:mdns] tls_listen: ${causeOf(error)}`);
    }
  }

  /** Names of client certificates in the access lists. */
  private clientNames(): string[] {
    const { access, readers } = this.options;
    return [...new Set([...access, ...readers].flatMap(({ tls }) => tls?.name ?? []))];
  }

  private async listen(host: string, port: number): Promise<AddressInfo> {
    const { limits } = this.options;
    const admission = new QueryGate(this.options, this.updates, this.clock);
    const answers = new QueryHandler(this.zones, this.notifies, this.updates);
    const connections = new TcpServer(admission, answers, limits, this.options.tls, this.clientNames());
    const datagrams = new UdpServer(admission, answers, limits, host.includes(':') ? 6 : 4);
    this.running = { connections, datagrams };
    try {
      await listening(connections.server, (server) => server.listen({ host, port }));
      // A listening TCP server has an `AddressInfo`.
      const address = connections.server.address() as AddressInfo;
      await listening(datagrams.socket, (socket) => socket.bind({ address: host, port: address.port }));
      await this.listenForTls(connections.tls);
      connections.watch();
      datagrams.watch();
      return address;
    } catch (error) {
      await this.stop(0);
      throw error;
    }
  }
}

/** A socket may emit `listening` before `listen` returns. */
async function listening<T extends EventEmitter>(socket: T, listen: (socket: T) => void): Promise<void> {
  const said = once(socket, 'listening');
  listen(socket);
  await said;
}

function isTaken(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 'EADDRINUSE';
}
