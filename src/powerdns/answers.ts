import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { JSON_TYPE } from '../http/bodies/media-types.js';
import { ReadyAnswer } from '../http/ready-answer.js';
import { inPieces, PIECE } from '../http/server/pieces.js';

/** JSON as PowerDNS answers it: its tests and some clients compare the whole media type, which has no charset. */
export type JsonAnswer = ReadyAnswer | StreamableFile;

export function jsonAnswer(value: unknown, status = 200): JsonAnswer {
  return jsonText(JSON.stringify(value), status);
}

/** The same of JSON that is written already. */
export function jsonText(text: string, status = 200): JsonAnswer {
  if (text.length < PIECE) return new ReadyAnswer(status, JSON_TYPE, text);
  return jsonStream(Readable.from(inPieces(Buffer.from(text)), { objectMode: false, highWaterMark: PIECE }));
}

/** The same of JSON that is written while it is read; the status is that of the operation. */
export function jsonStream(text: Readable): StreamableFile {
  return new StreamableFile(text, { type: JSON_TYPE });
}
