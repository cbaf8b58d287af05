import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';

/**
 * How much of an answer is handed to a connection at a time, in octets. What is handed over is held until all of it has
 * been read, and only then is it known how fast the reader is.
 */
export const PIECE = 65_536;

export function* inPieces(octets: Buffer): Generator<Buffer> {
  for (let start = 0; start < octets.length; start += PIECE) yield octets.subarray(start, start + PIECE);
}

/** Sends the body of an answer as fast as it is read, and ends the answer. */
export function sendInPieces(response: ServerResponse, octets: Buffer): ServerResponse {
  return sendStream(response, Readable.from(inPieces(octets), { objectMode: false, highWaterMark: PIECE }));
}

/** Sends what a stream has as the body of an answer, and ends the answer. A client that goes away ends both. */
export function sendStream(response: ServerResponse, octets: Readable): ServerResponse {
  return pipeline(octets, response, () => undefined);
}
