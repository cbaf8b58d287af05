import type { Response } from 'express';
import { PIECE, sendInPieces } from './server/response-pieces.js';
import { pipeline, type Readable } from 'node:stream';
import { Logger } from '@nestjs/common';

export abstract class CustomResponse {
  abstract sendTo(response: Response): void;
}

export class RawResponse extends CustomResponse {
  constructor(
    readonly status: number,
    readonly contentType: string,
    readonly body: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super();
  }

  override sendTo(response: Response): void {
    const octets = Buffer.from(this.body);
    response.statusCode = this.status;
    for (const [name, value] of Object.entries(this.headers)) response.setHeader(name, value);
    response.setHeader('Content-Type', this.contentType);
    response.setHeader('Content-Length', octets.length);
    if (octets.length > PIECE) sendInPieces(response, octets);
    else response.end(octets);
  }
}

interface HeldText {
  readonly tag?: string;
  readonly length: number;
  readonly inMemory: Buffer | null;
  read(): Readable;
  release(): void;
}

/** Sends a cached text, or 304 if the client has its entity tag. */
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

  /** Holds the text until the response closes. */
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
    // Each failure ends the other stream. The length tells the client that the text is incomplete.
    pipeline(text.read(), response, (error) => {
      if (error && !isGone(error)) this.logger.error(error);
    });
  }
}

function isGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}
