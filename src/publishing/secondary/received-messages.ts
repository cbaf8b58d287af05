import type { SpooledOctets, SpooledText } from '../../database/render-cache/spool.js';
import { MessageFrames } from '../../dns/message/message-frames.js';
import { framed } from '../../dns/message/message-writer.js';

/** So many octets are written at a time, and read. */
const PIECE = 65_536;

/** Takes the messages of a transfer, which go to a file where they are large together. */
export class ReceivedMessages {
  private waiting: Buffer[] = [];
  private waitingOctets = 0;

  /** @param text whoever has begun it discards it */
  constructor(private readonly text: SpooledText) {}

  /** @throws ServiceError `unavailable` where there is no room for it */
  async add(message: Buffer): Promise<void> {
    // A copy, since the slice would keep the whole buffer that it came in.
    const frame = framed(message);
    this.waiting.push(frame);
    this.waitingOctets += frame.length;
    if (this.waitingOctets >= PIECE) await this.write();
  }

  /** All of them; none is added any more. */
  async end(): Promise<BufferedMessages> {
    await this.write();
    return new BufferedMessages(this.text.kept());
  }

  private async write(): Promise<void> {
    if (this.waiting.length > 0) await this.text.add(Buffer.concat(this.waiting));
    this.waiting = [];
    this.waitingOctets = 0;
  }
}

/** Messages that may be read several times, in the order in which they came. */
export class BufferedMessages {
  constructor(private readonly kept: SpooledOctets) {}

  /** How many octets they have. */
  get octets(): number {
    return this.kept.length;
  }

  /** @throws ServiceError `unavailable` where they cannot be read */
  async *read(): AsyncGenerator<Buffer> {
    const frames = new MessageFrames();
    for (let from = 0; from < this.kept.length; from += PIECE) {
      frames.add(await this.kept.read(from, Math.min(from + PIECE, this.kept.length)));
      for (let message = frames.next(); message !== null; message = frames.next()) yield message;
    }
  }
}
