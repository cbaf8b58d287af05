import { quoted, type DomainName, displayName } from '../name.js';
import { EntryError, withErrorAt } from './entry-error.js';
import { type EntryToken, lineTokens } from './entry-scanner.js';
import type { RecordType } from '../rdata/index.js';
import type { MasterFileError, MasterFileRecord, MasterFileRepair } from './master-file.js';
import type { Position } from './position.js';
import { outsideError, readData, readName } from './record-parts.js';

/** Range of `$GENERATE start-stop[/step] lhs [ttl] [class] type rhs` (BIND), both ends included. */
export interface Range {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
}

/** Expands `lhs` or `rhs` for a number. Throws EntryError. */
type Template = (value: number) => string;

const MAX_NUMBER = 0x7fffffff;
/** Characters. Bounds the records that one line can generate. */
const MAX_EXPANSION = 255;
/** Characters; an IPv6 reverse name has 63 before its suffix. */
const MAX_WIDTH = 63;

export function parseRange({ text, at }: EntryToken): Range {
  const [, start, stop, step = '1'] = /^([0-9]{1,10})-([0-9]{1,10})(?:\/([0-9]{1,10}))?$/.exec(text) ?? [];
  const range = { start: Number(start), stop: Number(stop), step: Number(step) };
  if (range.start <= range.stop && range.stop <= MAX_NUMBER && range.step > 0) return range;
  throw new EntryError(`${quoted(text)} is not a range: write it like 1-10 or 0-20/2, up to ${MAX_NUMBER}`, at);
}

export function sizeOf({ start, stop, step }: Range): number {
  return Math.floor((stop - start) / step) + 1;
}

/** `$` is the number, `${offset,width,base}` a format of it, `$$` or `\$` a dollar sign. @throws EntryError */
export function parseTemplate({ text, at }: EntryToken): Template {
  if (text.length > MAX_EXPANSION) throw tooLongError(at);
  const parts = (text.match(PARTS) ?? []).map((part) => parsePart(part, at));
  return (value) => {
    let expansion = '';
    for (const part of parts) {
      expansion += typeof part === 'string' ? part : part(value);
      if (expansion.length > MAX_EXPANSION) throw tooLongError(at);
    }
    return expansion;
  };
}

const PARTS = /\\[^]?|\$(?:\$|\{[^}]*\}?)?|[^\\$]+/g;

function parsePart(part: string, at: number): string | Template {
  if (!part.startsWith('$')) return part;
  if (part === '$$') return '$';
  if (part === '$') return String;
  const [, offset, width = '0', base = 'd'] =
    /^\$\{([+-]?[0-9]{1,10})(?:,([0-9]{1,3})(?:,([doxXnN]))?)?\}$/.exec(part) ?? [];
  if (offset === undefined || Number(width) > MAX_WIDTH) {
    throw new EntryError(
      `${quoted(part)} is not a number format: write \${offset,width,base}, the width up to ${MAX_WIDTH}, the base one of d o x X n N`,
      at,
    );
  }
  return (value) => {
    const number = value + Number(offset);
    if (number > MAX_NUMBER || number < -MAX_NUMBER)
      throw new EntryError(`the number ${number} cannot be written here: choose another offset`, at);
    // BIND writes negative numbers in other bases as 32-bit two's complement.
    return FORMS[base]?.(base === 'd' ? number : number >>> 0, Number(width)) ?? '';
  };
}

const FORMS: Readonly<Record<string, (value: number, width: number) => string>> = {
  d: (value, width) => (value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0')),
  o: (value, width) => value.toString(8).padStart(width, '0'),
  x: (value, width) => value.toString(16).padStart(width, '0'),
  X: (value, width) => value.toString(16).toUpperCase().padStart(width, '0'),
  n: nibbles,
  N: (value, width) => nibbles(value, width).toUpperCase(),
};

/** Hexadecimal digits as labels, last digit first. The width includes dots and may leave a final one. */
function nibbles(value: number, width: number): string {
  const digits = [...value.toString(16)].reverse().join('.');
  const rest = Array.from({ length: Math.max(0, width - digits.length) }, (_, at) => (at % 2 === 0 ? '.' : '0'));
  return digits + rest.join('');
}

function tooLongError(at: number): EntryError {
  return new EntryError(
    `this becomes longer than the ${MAX_EXPANSION} characters that $GENERATE may write: shorten it`,
    at,
  );
}

export interface Generation {
  readonly range: Range;
  readonly owner: TemplateToken;
  readonly data: TemplateToken;
  readonly ttl: number | null;
  readonly type: RecordType;
  readonly origin: DomainName;
  readonly zone: DomainName;
  readonly leavesOutside: boolean;
  readonly position: Position;
}

interface TemplateToken {
  readonly token: EntryToken;
  readonly template: Template;
}

/** Yields one record for each number. @throws EntryError during the iteration */
export function* generatedRecords(generation: Generation): Generator<MasterFileRecord | MasterFileRepair> {
  const { range, owner, data, ttl, type, origin, zone, position, leavesOutside } = generation;
  for (let value = range.start; value <= range.stop; value += range.step) {
    const name = readName({ ...owner.token, text: owner.template(value) }, origin);
    if (!name.isWithin(zone)) {
      if (!leavesOutside) throw outsideError(name, zone, owner.token);
      yield { ...position, kind: 'outside_zone', text: displayName(name) };
      continue;
    }
    yield {
      ...position,
      owner: name,
      ttl,
      type,
      rdata: readData(type, generatedTokens({ ...data.token, text: data.template(value) }), data.token, origin),
    };
  }
}

/** Converts an EntryError to a last item. */
export function* withErrorsInPlace(
  records: Iterable<MasterFileRecord | MasterFileRepair>,
  inPlace: (error: EntryError) => MasterFileError,
): Generator<MasterFileRecord | MasterFileRepair | MasterFileError> {
  try {
    yield* records;
  } catch (error) {
    if (!(error instanceof EntryError)) throw error;
    yield inPlace(error);
  }
}

function generatedTokens(token: EntryToken): readonly EntryToken[] {
  const line = token.quoted
    ? token.text.replace(/\\([^])/g, (escape, next: string) => (next === '"' ? next : escape))
    : token.text;
  return withErrorAt(token, EntryError, () => lineTokens(line));
}
