import { Readable, pipeline } from 'node:stream';
import { nextTurnOfChange } from '../../common/waiting/event-loop-turns.js';
import { Slices } from '../../common/waiting/slices.js';
import type { ServerResponse } from 'node:http';

/** Octets; longer answers are streamed. */
const LONGEST_WHOLE_ANSWER = 262_144;
const OCTETS_OF_MEMBER = 8;

/** Whether the JSON has more than about `most` octets. Reads no more of the value than necessary. */
export function isLongJson(value: unknown, most = LONGEST_WHOLE_ANSWER): boolean {
  return restAfter(value, most) < 0;
}

function restAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length;
  if (typeof value !== 'object' || value === null) return room;
  let rest = room;
  if (Array.isArray(value))
    for (const item of value) {
      if (rest < 0) return rest;
      rest = restAfter(item, rest - OCTETS_OF_MEMBER);
    }
  else
    for (const name in value) {
      if (rest < 0) return rest;
      // Our code chooses the names, so they need no escapes.
      rest = restAfter((value as Readonly<Record<string, unknown>>)[name], rest - OCTETS_OF_MEMBER - name.length);
    }
  return rest;
}

/** Writes JSON in slices, as fast as the client reads it (backpressure). */
export function jsonStreamOf(value: object): Readable {
  return Readable.from(octetsOf({ value }), { objectMode: false, highWaterMark: PIECE });
}

/** Returns JSON for stored responses. Yields to the event loop while a change holds its zone. */
export async function jsonTextOf(value: object): Promise<string> {
  if (!isLongJson(value)) return JSON.stringify(value);
  const slices = new Slices(nextTurnOfChange);
  let all = '';
  for (const text of textsOf(value)) {
    all += text;
    if (slices.isOver(text.length)) await slices.pause();
  }
  return all;
}

async function* octetsOf(held: { value: object | null }): AsyncGenerator<Buffer> {
  const slices = new Slices();
  let texts: string[] = [];
  let length = 0;
  const parts = textsOf(held.value);
  // Node.js refers to a response, its stream and this generator for some time after the last octet.
  held.value = null;
  for (const text of parts) {
    texts.push(text);
    length += text.length;
    if (length < PIECE) continue;
    yield Buffer.from(texts.join(''));
    if (slices.isOver(length)) await slices.pause();
    [texts, length] = [[], 0];
  }
  if (texts.length > 0) yield Buffer.from(texts.join(''));
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || !isLongJson(value, PIECE)) {
    yield JSON.stringify(value ?? null);
    return;
  }
  let before = Array.isArray(value) ? '[' : '{';
  if (Array.isArray(value)) {
    for (const item of value) {
      yield before;
      yield* textsOf(item);
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* textsOf(member);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** Octets of one write. Node reports progress only when the client has read all of them. */
export const PIECE = 65_536;

export function* inPieces(octets: Buffer): Generator<Buffer> {
  for (let start = 0; start < octets.length; start += PIECE) yield octets.subarray(start, start + PIECE);
}

export function sendInPieces(response: ServerResponse, octets: Buffer): ServerResponse {
  return sendStream(response, Readable.from(inPieces(octets), { objectMode: false, highWaterMark: PIECE }));
}

/** Sends a stream as the body and ends the answer. A disconnect ends both. */
export function sendStream(response: ServerResponse, octets: Readable): ServerResponse {
  return pipeline(octets, response, () => undefined);
}
