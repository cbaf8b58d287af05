import type { Socket } from 'node:net';
import type { EventLoopTurns } from '../../common/waiting/event-loop-turns.js';
import { MetaType } from '../../dns/message/codes.js';
import { MessageFrames } from '../../dns/message/message-frames.js';
import { framed } from '../../dns/message/message-writer.js';
import type { NameServerLimits } from '../publishing.options.js';
import type { QueryGate, Query } from './query-gate.js';
import type { QueryHandler, Transfer } from './query-handler.js';
import { type Client, clientAt } from './response-builder.js';
import type { TlsClient } from './tls-listener.js';
import { Histogram, secondsSince, Counter } from '../../observability/metrics.js';

/** Octets of a transfer per event loop turn. */
const PIECE = 32 * 1024;
/** Minimum average rate of a slow client, in octets per second. */
const LEAST_RATE = 16 * 1024;

export interface ConnectionSettings {
  readonly admission: QueryGate;
  readonly answers: QueryHandler;
  readonly limits: NameServerLimits;
  /** Event loop turns that take messages. */
  readonly turns: EventLoopTurns;
  readonly transferTurns: EventLoopTurns;
  readonly warn: (message: string) => void;
}

/** A TCP connection (RFC 7766). Sends one transfer at a time. Stops reading when the client does (backpressure). */
export class Connection {
  readonly client: Client;
  private lastActivity = performance.now();
  private underWay = 0;
  private transferSince: number | null = null;
  private transfers: Promise<void> = Promise.resolve();
  /** The client has half-closed the connection. */
  private hasEnded = false;
  private isEnding = false;
  private taken = { at: this.lastActivity, octets: 0 };
  private wake: () => void = () => undefined;
  private readonly frames = new MessageFrames();
  private readonly gone = new AbortController();

  constructor(
    private readonly socket: Socket,
    private readonly settings: ConnectionSettings,
    tls: TlsClient | null = null,
  ) {
    this.client = clientAt(socket.remoteAddress ?? '', 'tcp', tls);
    socket.on('data', (chunk) => this.receive(chunk));
    socket.on('end', () => this.ended());
    socket.on('drain', () => this.resume());
    socket.once('close', () => this.abandon());
    // The client may disappear; `close` follows.
    socket.on('error', () => undefined);
  }

  get address(): string {
    return this.client.address;
  }

  get isBusy(): boolean {
    return this.underWay > 0 || this.socket.writableLength > 0;
  }

  /** Time of the last query or answer, or of the connect, as of `performance.now()`. */
  get activeAt(): number {
    return this.lastActivity;
  }

  /** Stops taking queries, and closes the connection after the last answer. */
  end(): void {
    this.isEnding = true;
    this.closeWhenDone();
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Returns `idle`, or the violation in words; `null` within the timeouts. `now` is as of `performance.now()`. */
  overdue(now: number): string | null {
    const { idleTimeout, readTimeout, transferTimeout } = this.settings.limits;
    if (this.transferSince !== null && now - this.transferSince > transferTimeout * 1000)
      return `did not read a whole transfer in ${transferTimeout} seconds`;
    if (this.socket.writableLength > 0) return this.isSlow(now, readTimeout) ? 'reads its answers too slowly' : null;
    this.taken = { at: now, octets: this.socket.bytesWritten };
    return !this.isBusy && now - this.lastActivity > idleTimeout * 1000 ? 'idle' : null;
  }

  private isSlow(now: number, seconds: number): boolean {
    const octets = this.socket.bytesWritten - this.socket.writableLength;
    const hasGotOn = octets - this.taken.octets >= LEAST_RATE * seconds;
    if (!hasGotOn) return now - this.taken.at > seconds * 1000;
    this.taken = { at: now, octets };
    return false;
  }

  private receive(chunk: Buffer): void {
    this.frames.add(chunk);
    // Until the received messages are taken.
    this.socket.pause();
    this.takeMessages();
  }

  /** Earlier messages may still wait. */
  private ended(): void {
    this.hasEnded = true;
    this.takeMessages();
  }

  private resume(): void {
    this.wake();
    this.takeMessages();
  }

  private abandon(): void {
    this.gone.abort();
    this.wake();
  }

  private takeMessages(): void {
    this.settings.turns.add(this.takeNext);
  }

  /** Takes one message. Other connections have their turn before the next one. */
  private readonly takeNext = (): void => {
    if (!this.mayTake()) return;
    const message = this.frames.next();
    if (message !== null) {
      this.take(message);
      this.takeMessages();
    } else if (this.hasEnded) this.end();
    else this.socket.resume();
  };

  private mayTake(): boolean {
    const { socket, settings } = this;
    return (
      !this.isEnding && !socket.destroyed && this.underWay < settings.limits.pipelined && !socket.writableNeedDrain
    );
  }

  private take(message: Buffer): void {
    const judged = this.settings.admission.judge(message, this.client);
    // The sender does not speak DNS.
    if (judged === null) return this.destroy();
    this.lastActivity = performance.now();
    if (Buffer.isBuffer(judged)) return this.send(judged);
    this.underWay += 1;
    void this.answerInTurn(judged).finally(() => this.answered());
  }

  private answered(): void {
    this.underWay -= 1;
    this.lastActivity = performance.now();
    this.closeWhenDone();
    this.takeMessages();
  }

  private closeWhenDone(): void {
    if (this.isEnding && this.underWay === 0) this.socket.destroySoon();
  }

  /** Runs transfers one after another: few clients support mixed messages (RFC 5936 §4.1.1). */
  private answerInTurn(query: Query): Promise<void> {
    const { type } = query.question;
    if (type !== MetaType.AXFR && type !== MetaType.IXFR) return this.answer(query);
    this.transfers = this.transfers.then(() => this.answer(query));
    return this.transfers;
  }

  private async answer(query: Query): Promise<void> {
    if (this.gone.signal.aborted) return;
    const answer = await this.settings.answers.answer(query, this.gone.signal);
    if (Buffer.isBuffer(answer)) this.send(answer);
    else await measureTransfer(query.question.type, () => this.sendTransfer(answer));
  }

  private send(message: Buffer): void {
    if (!this.socket.destroyed) this.socket.write(framed(message));
  }

  /** Returns whether the client got the whole transfer. */
  private async sendTransfer({ copy, response }: Transfer): Promise<boolean> {
    this.transferSince = performance.now();
    try {
      let written = 0;
      for await (const section of copy.sections()) {
        if (this.gone.signal.aborted) return false;
        const frame = response.frame(section);
        written += frame.length;
        if (!this.socket.write(frame)) await this.drained();
        if (written < PIECE) continue;
        written = 0;
        await this.settings.transferTurns.next();
      }
      return true;
    } catch (error) {
      // Sent messages cannot be revoked: the client detects the missing end.
      this.settings.warn(`Transfer to ${this.client.address} failed: ${String(error)}. Closed the connection.`);
      this.destroy();
      return false;
    } finally {
      this.transferSince = null;
      copy.release();
    }
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }
}

const LABELS = ['type'];
const TRANSFERS = new Counter({
  name: 'zonewright_transfers_total',
  help: 'Transfers to name servers over TCP, by requested type, and whether the transfer was completed.',
  labels: [...LABELS, 'result'],
});
const DURATIONS = new Histogram({
  name: 'zonewright_transfer_duration_seconds',
  help: 'From the first message of a transfer to its last.',
  labels: LABELS,
});

async function measureTransfer(type: number, send: () => Promise<boolean>): Promise<void> {
  const begun = performance.now();
  const label = type === MetaType.AXFR ? 'AXFR' : 'IXFR';
  const isWhole = await send();
  TRANSFERS.of(label, isWhole ? 'sent' : 'broken').add();
  DURATIONS.of(label).observe(secondsSince(begun));
}
