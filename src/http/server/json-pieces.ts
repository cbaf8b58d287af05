import { Readable } from 'node:stream';
import { nextTurnOfChange } from '../../common/waiting/event-loop-turns.js';
import { Slices } from '../../common/waiting/slices.js';
import { PIECE } from './pieces.js';

/** In octets; a longer answer is written while its client reads it. */
const LONGEST_WHOLE_ANSWER = 262_144;
/** What a member takes beside its texts. */
const OCTETS_OF_MEMBER = 8;

/** Whether the JSON of a value has more than about `most` octets; goes through no more of the value than it takes to know. */
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
      // The names of an answer are our own.
      rest = restAfter((value as Readonly<Record<string, unknown>>)[name], rest - OCTETS_OF_MEMBER - name.length);
    }
  return rest;
}

/** The JSON of a value, written while it is read (backpressure), and in slices. */
export function jsonStreamOf(value: object): Readable {
  return Readable.from(octetsOf({ value }), { objectMode: false, highWaterMark: PIECE });
}

/** The same as one text, made while a change holds its zone: what is kept of an answer is. */
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

/** What `JSON.stringify` makes of it, in parts. */
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
