import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import type { HeldContent } from '../database/render-cache/content-cache.js';
import { JSON_TYPE } from '../http/bodies/media-types.js';
import { CachedTextResponse, RawResponse } from '../http/custom-responses.js';
import { inPieces, PIECE } from '../http/server/response-pieces.js';
import { StringDecoder } from 'node:string_decoder';

/** A JSON response without charset: PowerDNS tests and some clients compare the whole media type. */
export type JsonAnswer = RawResponse | StreamableFile | CachedTextResponse;

export function jsonAnswer(value: unknown, status = 200): JsonAnswer {
  return jsonText(JSON.stringify(value), status);
}

export function jsonText(text: string, status = 200): JsonAnswer {
  if (text.length < PIECE) return new RawResponse(status, JSON_TYPE, text);
  return jsonStream(Readable.from(inPieces(Buffer.from(text)), { objectMode: false, highWaterMark: PIECE }));
}

export function jsonStream(text: Readable): StreamableFile {
  return new StreamableFile(text, { type: JSON_TYPE });
}

export function keptJson({ octets, release }: HeldContent<unknown>, status = 200): CachedTextResponse {
  const { length, inMemory } = octets;
  const read = (): Readable => Readable.from(piecesOf(octets), { objectMode: false, highWaterMark: PIECE });
  return new CachedTextResponse(JSON_TYPE, { length, inMemory, read, release }, status);
}

async function* piecesOf(octets: HeldContent<unknown>['octets']): AsyncGenerator<Buffer> {
  for (let from = 0; from < octets.length; from += PIECE)
    yield await octets.read(from, Math.min(from + PIECE, octets.length));
}

export function asJsonText(field: string, text: Readable): Readable {
  async function* pieces(): AsyncGenerator<string> {
    yield `{${JSON.stringify(field)}:"`;
    const decoder = new StringDecoder('utf8');
    for await (const piece of text as AsyncIterable<Buffer | string>)
      yield inside(typeof piece === 'string' ? piece : decoder.write(piece));
    yield `${inside(decoder.end())}"}`;
  }
  return Readable.from(pieces(), { objectMode: false }).once('close', () => text.destroy());
}

function inside(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
