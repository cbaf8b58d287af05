import type { Socket } from 'node:net';
import type { EventLoopTurns } from '../../common/waiting/event-loop-turns.js';
import { MetaType } from '../../dns/message/codes.js';
import { MessageFrames } from '../../dns/message/message-frames.js';
import { framed } from '../../dns/message/message-writer.js';
import { measureTransfer } from './transfer-metrics.js';
import type { NameServerLimits } from '../publishing.options.js';
import type { QueryGate, Query } from './query-gate.js';
import type { QueryHandler, Transfer } from './query-handler.js';
import { type Client, clientAt } from './client.js';

/** So many octets of a transfer are written before others have their turn. */
const PIECE = 32 * 1024;
/** Octets a second that a reader has to take on average of what waits for it. */
const LEAST_RATE = 16 * 1024;

/** What all connections have in common. */
export interface ConnectionSettings {
  readonly admission: QueryGate;
  readonly answers: QueryHandler;
  readonly limits: NameServerLimits;
  /** In which messages are taken. */
  readonly turns: EventLoopTurns;
  /** In which pieces of transfers are written. */
  readonly transferTurns: EventLoopTurns;
  /** Told of what went wrong in the middle of a transfer, in words. */
  readonly warn: (message: string) => void;
}

/**
 * A TCP connection (RFC 7766). Queries are taken as they come and answered as answers are ready, one transfer at a time.
 * Nothing is read while the client does not read, and no message of a transfer is made before there is room for it.
 */
export class Connection {
  readonly client: Client;
  private lastActivity = performance.now();
  private underWay = 0;
  private transferSince: number | null = null;
  private transfers: Promise<void> = Promise.resolve();
  /** Whether the client has sent its last. */
  private hasEnded = false;
  private isEnding = false;
  private taken = { at: this.lastActivity, octets: 0 };
  private wake: () => void = () => undefined;
  private readonly frames = new MessageFrames();
  private readonly gone = new AbortController();

  constructor(
    private readonly socket: Socket,
    private readonly settings: ConnectionSettings,
  ) {
    this.client = clientAt(socket.remoteAddress ?? '', 'tcp');
    socket.on('data', (chunk) => this.receive(chunk));
    socket.on('end', () => this.ended());
    socket.on('drain', () => this.resume());
    socket.once('close', () => this.abandon());
    // A client that has gone away is no error of ours; `close` follows.
    socket.on('error', () => undefined);
  }

  /** Whether something is being answered, or waits to be read. */
  get isBusy(): boolean {
    return this.underWay > 0 || this.socket.writableLength > 0;
  }

  /** When it was opened, or a query was last taken or answered, by the clock of `performance.now()`. */
  get activeAt(): number {
    return this.lastActivity;
  }

  /** Takes nothing more, and closes the connection when what was taken is answered. */
  end(): void {
    this.isEnding = true;
    this.closeWhenDone();
  }

  destroy(): void {
    this.socket.destroy();
  }

  /**
   * Whether the client has used up its time, and with what. Times are those of `performance.now()`.
   * @returns `idle`, or what it did in words
   */
  overdue(now: number): string | null {
    const { idleTimeout, readTimeout, transferTimeout } = this.settings.limits;
    if (this.transferSince !== null && now - this.transferSince > transferTimeout * 1000)
      return `has not taken a whole transfer in ${transferTimeout} seconds`;
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
    // Until what has come is taken.
    this.socket.pause();
    this.takeMessages();
  }

  /** What has come before may still have to be taken. */
  private ended(): void {
    this.hasEnded = true;
    this.takeMessages();
  }

  /** The client has read what waited for it. */
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

  /** Takes one message that has come; others have their turn before the next one. */
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
    // Who sends what cannot be answered does not speak DNS.
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

  /** Messages of different transfers are not mixed: few clients expect that (RFC 5936 §4.1.1). */
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

  /** Returns whether the client has been sent all of it. */
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
      // What has been sent cannot be taken back: the client notices that the transfer has no end.
      this.settings.warn(`a transfer to ${this.client.address} breaks off: ${String(error)}`);
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
