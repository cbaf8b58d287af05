import { quoted } from '../name.js';
import { EntryFault } from './entry-fault.js';
import type { Word } from './entry-scanner.js';

/** BIND's `$GENERATE start-stop[/step] lhs [ttl] [class] type rhs`: the numbers that the template takes. */
export interface Range {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
}

/** Writes the text for one of the numbers. */
export type Template = (value: number) => string;

const MAX_NUMBER = 0x7fffffff;
/** Names and numbered data are shorter; without a bound one line could make records of any size. */
const MAX_EXPANSION = 255;
/** A label has no more octets; the reverse name of an IPv6 address has 63 characters before its suffix. */
const MAX_WIDTH = 63;

export function rangeOf({ text, at }: Word): Range {
  const [, start, stop, step = '1'] = /^([0-9]{1,10})-([0-9]{1,10})(?:\/([0-9]{1,10}))?$/.exec(text) ?? [];
  const range = { start: Number(start), stop: Number(stop), step: Number(step) };
  if (range.start <= range.stop && range.stop <= MAX_NUMBER && range.step > 0) return range;
  throw new EntryFault(`${quoted(text)} is no range: write it like 1-10 or 0-20/2, up to ${MAX_NUMBER}`, at);
}

/** How many numbers a range has. */
export function sizeOf({ start, stop, step }: Range): number {
  return Math.floor((stop - start) / step) + 1;
}

/** `$` is the number, `${offset,width,base}` a form of it, `$$` and `\$` a dollar sign. */
export function templateOf({ text, at }: Word): Template {
  if (text.length > MAX_EXPANSION) throw tooLong(at);
  const parts = (text.match(PARTS) ?? []).map((part) => partOf(part, at));
  return (value) => {
    let expansion = '';
    for (const part of parts) {
      expansion += typeof part === 'string' ? part : part(value);
      if (expansion.length > MAX_EXPANSION) throw tooLong(at);
    }
    return expansion;
  };
}

/** Escapes, dollar signs with what belongs to them, and the text between. */
const PARTS = /\\[^]?|\$(?:\$|\{[^}]*\}?)?|[^\\$]+/g;

function partOf(part: string, at: number): string | Template {
  if (!part.startsWith('$')) return part;
  if (part === '$$') return '$';
  if (part === '$') return String;
  const [, offset, width = '0', base = 'd'] =
    /^\$\{([+-]?[0-9]{1,10})(?:,([0-9]{1,3})(?:,([doxXnN]))?)?\}$/.exec(part) ?? [];
  if (offset === undefined || Number(width) > MAX_WIDTH) {
    throw new EntryFault(
      `${quoted(part)} is no number's form: write \${offset,width,base}, the width up to ${MAX_WIDTH}, the base one of d o x X n N`,
      at,
    );
  }
  return formOf(Number(offset), Number(width), base, at);
}

function formOf(offset: number, width: number, base: string, at: number): Template {
  return (value) => {
    const number = value + offset;
    if (number > MAX_NUMBER || (number < 0 && base !== 'd'))
      throw new EntryFault(`the number ${number} cannot be written here: choose another offset`, at);
    return FORMS[base]?.(number, width) ?? '';
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

/** Hexadecimal digits as labels, the last digit first; the width counts the dots, and may end in one. */
function nibbles(value: number, width: number): string {
  const digits = [...value.toString(16)].reverse().join('.');
  const rest = Array.from({ length: Math.max(0, width - digits.length) }, (_, at) => (at % 2 === 0 ? '.' : '0'));
  return digits + rest.join('');
}

function tooLong(at: number): EntryFault {
  return new EntryFault(
    `this becomes longer than the ${MAX_EXPANSION} characters that $GENERATE may write: shorten it`,
    at,
  );
}
