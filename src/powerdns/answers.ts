import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import type { HeldContent } from '../database/render-cache/cached-content.js';
import { JSON_TYPE } from '../http/bodies/media-types.js';
import { CachedTextResponse } from '../http/cached-text-response.js';
import { RawResponse } from '../http/raw-response.js';
import { inPieces, PIECE } from '../http/server/pieces.js';

/** JSON as PowerDNS answers it: its tests and some clients compare the whole media type, which has no charset. */
export type JsonAnswer = RawResponse | StreamableFile | CachedTextResponse;

export function jsonAnswer(value: unknown, status = 200): JsonAnswer {
  return jsonText(JSON.stringify(value), status);
}

/** The same of JSON that is written already. */
export function jsonText(text: string, status = 200): JsonAnswer {
  if (text.length < PIECE) return new RawResponse(status, JSON_TYPE, text);
  return jsonStream(Readable.from(inPieces(Buffer.from(text)), { objectMode: false, highWaterMark: PIECE }));
}

/** The same of JSON that is written while it is read; the status is that of the operation. */
export function jsonStream(text: Readable): StreamableFile {
  return new StreamableFile(text, { type: JSON_TYPE });
}

/** The same of JSON that is kept for several readers. */
export function keptJson({ octets, release }: HeldContent<unknown>, status = 200): CachedTextResponse {
  const { length, inMemory } = octets;
  const read = (): Readable => Readable.from(piecesOf(octets), { objectMode: false, highWaterMark: PIECE });
  return new CachedTextResponse(JSON_TYPE, { length, inMemory, read, release }, status);
}

async function* piecesOf(octets: HeldContent<unknown>['octets']): AsyncGenerator<Buffer> {
  for (let from = 0; from < octets.length; from += PIECE)
    yield await octets.read(from, Math.min(from + PIECE, octets.length));
}
