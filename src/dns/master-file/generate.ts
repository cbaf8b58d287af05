import { quoted } from '../name.js';
import { EntryError } from './entry-error.js';
import type { EntryToken } from './entry-scanner.js';

/** The numbers of a `$GENERATE start-stop[/step] lhs [ttl] [class] type rhs`, BIND's directive. Both ends belong to it. */
export interface Range {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
}

/** Writes the text of `lhs` or `rhs` for one number; throws an EntryError where it cannot be written. */
export type Template = (value: number) => string;

const MAX_NUMBER = 0x7fffffff;
/** In characters. Without a bound one line could make records of any size. */
const MAX_EXPANSION = 255;
/** In characters: the reverse name of an IPv6 address has 63 before its suffix. */
const MAX_WIDTH = 63;

/** @throws EntryError */
export function parseRange({ text, at }: EntryToken): Range {
  const [, start, stop, step = '1'] = /^([0-9]{1,10})-([0-9]{1,10})(?:\/([0-9]{1,10}))?$/.exec(text) ?? [];
  const range = { start: Number(start), stop: Number(stop), step: Number(step) };
  if (range.start <= range.stop && range.stop <= MAX_NUMBER && range.step > 0) return range;
  throw new EntryError(`${quoted(text)} is not a range: write it like 1-10 or 0-20/2, up to ${MAX_NUMBER}`, at);
}

/** How many numbers a range has. */
export function sizeOf({ start, stop, step }: Range): number {
  return Math.floor((stop - start) / step) + 1;
}

/**
 * Reads a template, in which `$` stands for the number, `${offset,width,base}` for a form of it, and `$$` and `\$` for a
 * dollar sign.
 * @throws EntryError
 */
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

/** The parts of a template: escapes, dollar signs with their forms, and the text between. */
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
  return numberForm(Number(offset), Number(width), base, at);
}

function numberForm(offset: number, width: number, base: string, at: number): Template {
  return (value) => {
    const number = value + offset;
    if (number > MAX_NUMBER || number < -MAX_NUMBER)
      throw new EntryError(`the number ${number} cannot be written here: choose another offset`, at);
    // BIND writes a negative number in other bases as the 32 bits of its two's complement.
    return FORMS[base]?.(base === 'd' ? number : number >>> 0, width) ?? '';
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

/** Hexadecimal digits as labels, the last digit first. The width counts the dots too, and may leave one at the end. */
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
