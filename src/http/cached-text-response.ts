import { pipeline, type Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import type { Response } from 'express';
import { CustomResponse } from './raw-response.js';
import { PIECE, sendInPieces } from './server/pieces.js';

/** A text that is held for whoever is sent it. */
interface HeldText {
  /** Left out where clients are told of none. */
  readonly tag?: string;
  /** In octets. */
  readonly length: number;
  /** All octets, where they are in memory. */
  readonly inMemory: Buffer | null;
  read(): Readable;
  release(): void;
}

/** A text that is kept, or 304 for the tag of one that the client has. */
export class CachedTextResponse extends CustomResponse {
  private readonly logger = new Logger(CachedTextResponse.name);

  constructor(
    private readonly contentType: string,
    private readonly text: HeldText | string,
    private readonly status = 200,
  ) {
    super();
  }

  override sendTo(response: Response): void {
    if (typeof this.text === 'string') {
      response.setHeader('ETag', this.text);
      response.status(304).end();
      return;
    }
    this.send(response, this.text);
  }

  /** It is held until its last octet has been sent, or its client has gone. */
  private send(response: Response, text: HeldText): void {
    const release = (): void => text.release();
    if (response.closed) release();
    else response.once('close', release);
    response.statusCode = this.status;
    if (text.tag !== undefined) response.setHeader('ETag', text.tag);
    response.setHeader('Content-Type', this.contentType);
    response.setHeader('Content-Length', text.length);
    const { inMemory } = text;
    if (response.req.method === 'HEAD') response.end();
    else if (inMemory === null) this.sendFile(response, text);
    else if (inMemory.length > PIECE) sendInPieces(response, inMemory);
    else response.end(inMemory);
  }

  private sendFile(response: Response, text: HeldText): void {
    // Whichever fails ends the other: a client sees from the length that it has not got everything.
    pipeline(text.read(), response, (error) => {
      if (error && !isGone(error)) this.logger.error(error);
    });
  }
}

function isGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}
