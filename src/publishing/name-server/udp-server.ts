import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { EventLoopTurns } from '../../common/waiting/event-loop-turns.js';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { Limiter, type Release } from '../../common/waiting/limiter.js';
import type { NameServerLimits } from '../publishing.options.js';
import type { QueryGate, Query } from './query-gate.js';
import type { QueryHandler } from './query-handler.js';
import { type Client, clientAt } from './client.js';

/** What the kernel keeps of a burst, in octets, as far as it is allowed to. */
const RECEIVE_BUFFER = 1024 * 1024;

/** For how long datagrams are read and verified in one turn of the event loop, in milliseconds. */
const LONGEST_TURN_MS = 1;

/**
 * The UDP side of the name server. A datagram takes a place before it is read, and the places are shared by senders. Senders
 * take turns in having one read. What finds no place is dropped: its sender asks again.
 */
export class UdpServer {
  readonly socket: Socket;
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
      // Only addresses come here. Node would ask the system's resolver for each, in a turn of its own.
      lookup: (address, _options, callback) => callback(null, address, family),
    });
    this.socket.on('message', (octets, sender) => this.receive(octets, sender));
  }

  /** From then on the socket's errors are logged instead of being the caller's. */
  watch(): void {
    this.socket.on('error', (error) => this.failureLog.warn(`UDP of the name server: ${error.message}`));
  }

  close(): void {
    this.gone.abort();
    this.socket.close();
  }

  private receive(octets: Buffer, sender: RemoteInfo): void {
    // Nobody can be answered at port 0.
    if (sender.port === 0) return;
    const client = clientAt(sender.address, 'udp');
    const key = this.admission.senderOf(octets, client);
    const leave = this.places.tryTake(key);
    if (leave === null) {
      this.tooMany.warn(`too many datagrams of ${key} wait for their answers; more of them are dropped`);
      return;
    }
    const release = this.reading.enter(key, () =>
      this.turns.add(() => this.read({ octets, sender, client, leave }, release)),
    );
  }

  private read({ octets, sender, client, leave }: Received, release: Release): void {
    // The next sender may have its datagram read, in this turn or the next one.
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
    // Transfers answer queries over TCP only.
    else answer.copy.release();
  }

  private send(datagram: Buffer, { address, port }: RemoteInfo): void {
    // What does not get through is lost, as datagrams are.
    if (!this.gone.signal.aborted) this.socket.send(datagram, port, address);
  }
}

interface Received {
  readonly octets: Buffer;
  readonly sender: RemoteInfo;
  readonly client: Client;
  /** Gives the place of the datagram back. */
  readonly leave: Release;
}
