import type { Response } from 'express';
import { PIECE, sendInPieces } from './server/pieces.js';

/** An answer that knows how it is sent. */
export abstract class CustomResponse {
  abstract sendTo(response: Response): void;
}

/** An answer whose octets are known, whatever has become of what it speaks of. */
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
