import { latin1, MAX_STRING } from './character-string.js';
import type { Field } from './field.js';
import { characterString, domainName, uint16 } from './fields.js';
import { textForm } from './json-form.js';
import { RdataError } from './rdata-error.js';
import { recordType } from './record-type.js';

/** RFC 3403 §4.1. */
const flags: Field<Uint8Array> = {
  ...characterString,
  form: 'text of letters and digits',
  json: {
    ...textForm(MAX_STRING),
    values: [
      { value: '', label: 'another NAPTR record comes next' },
      { value: 'S', label: 'SRV records come next' },
      { value: 'A', label: 'addresses come next' },
      { value: 'U', label: 'the result is a URI' },
      { value: 'P', label: 'the application says what comes next' },
    ],
  },
  check(value) {
    if (!/^[0-9A-Za-z]*$/.test(latin1(value)))
      throw new RdataError('the flags have another character: use letters and digits only');
  },
};

/** RFC 3402 §3.2. BIND checks it in files and transfers: one malformed expression would stop the whole zone. */
const regexp: Field<Uint8Array> = {
  ...characterString,
  form: 'substitution expression, or empty',
  check(value) {
    if (value.length > 0 && !isSubstitution(value)) {
      throw new RdataError(
        'the regexp is not a substitution: write it like "!^.*$!sip:info@example.org!" (RFC 3402 §3.2)',
      );
    }
  },
};

/** RFC 3403 §4.1 permits both a regexp and a replacement, and name servers serve it. */
export const NAPTR = recordType({
  name: 'NAPTR',
  code: 35,
  rfc: 'RFC 3403 §4',
  fields: {
    order: uint16,
    preference: uint16,
    flags,
    services: characterString,
    regexp,
    replacement: domainName,
  },
  example: { name: 'example.org.', data: '100 10 "S" "SIP+D2U" "" _sip._udp.example.org.' },
});

/**
 * Delimiter, extended regular expression, delimiter, replacement, delimiter, optional `i` (RFC 3402 §3.2). Refuses
 * expressions that implementations of POSIX 1003.2 §2.8 read differently.
 */
export function isSubstitution(octets: Uint8Array): boolean {
  const text = latin1(octets);
  const delimiter = text.charAt(0);
  if (/^[0-9\\i]$/.test(delimiter) || text.includes('\0')) return false;
  const [expression, replacement, flags, ...more] = splitUnescaped(text.slice(1), delimiter);
  if (expression === undefined || replacement === undefined || more.length > 0) return false;
  if (flags !== '' && flags !== 'i') return false;
  const groups = countGroups(expression);
  return groups !== undefined && references(replacement).every((group) => group >= 1 && group <= groups);
}

function splitUnescaped(text: string, delimiter: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text.charAt(at) === '\\') at++;
    else if (text.charAt(at) === delimiter) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function references(replacement: string): number[] {
  return (replacement.match(/\\[^]/g) ?? [])
    .map((escape) => escape.charAt(1))
    .filter((character) => character >= '0' && character <= '9')
    .map(Number);
}

type Kind = 'open' | 'close' | 'or' | 'anchor' | 'repetition' | 'atom';

interface Piece {
  readonly kind: Kind;
  readonly length: number;
}

/** Undefined for a malformed extended regular expression. */
function countGroups(expression: string): number | undefined {
  let opened = 0;
  let closed = 0;
  let before: Kind = 'or';
  for (let rest = expression; rest !== '';) {
    const piece = firstPiece(rest);
    if (!piece || !mayFollow(piece.kind, before)) return undefined;
    if (piece.kind === 'open') opened++;
    if (piece.kind === 'close') closed++;
    if (closed > opened) return undefined;
    before = piece.kind;
    rest = rest.slice(piece.length);
  }
  return closed === opened && mayFollow('close', before) ? opened : undefined;
}

function mayFollow(kind: Kind, before: Kind): boolean {
  if (kind === 'repetition') return before === 'atom' || before === 'close';
  return (kind !== 'close' && kind !== 'or') || (before !== 'open' && before !== 'or');
}

function firstPiece(text: string): Piece | undefined {
  const character = text.charAt(0);
  switch (character) {
    case '(':
      return { kind: 'open', length: 1 };
    case ')':
      return { kind: 'close', length: 1 };
    case '|':
      return { kind: 'or', length: 1 };
    case '^':
    case '$':
      return { kind: 'anchor', length: 1 };
    case '*':
    case '+':
    case '?':
      return { kind: 'repetition', length: 1 };
    case '{':
      return piece('repetition', intervalLength(text));
    case '[':
      return piece('atom', bracketLength(text));
    case '\\':
      return piece('atom', /^\\[^0-9]/s.test(text) ? 2 : undefined);
    default:
      return { kind: 'atom', length: 1 };
  }
}

function piece(kind: Kind, length: number | undefined): Piece | undefined {
  return length === undefined ? undefined : { kind, length };
}

/** `{2}`, `{2,}` or `{2,5}`, up to 255 repetitions (POSIX 1003.2 §2.8.4.4). */
function intervalLength(text: string): number | undefined {
  const [whole, from, comma, to] = /^\{([0-9]{1,3})(,?)([0-9]{0,3})\}/.exec(text) ?? [];
  if (whole === undefined || (comma === '' && to !== '')) return undefined;
  const most = to === '' ? from : to;
  return Number(from) <= Number(most) && Number(most) <= 255 ? whole.length : undefined;
}

/** The first character of a bracket expression may be `]` (POSIX 1003.2 §2.8.3.2). */
function bracketLength(text: string): number | undefined {
  const first = text.charAt(1) === '^' ? 2 : 1;
  for (let at = first; at < text.length;) {
    if (text.charAt(at) === ']' && at > first) return at + 1;
    const length = bracketItemLength(text.slice(at));
    if (length === undefined) return undefined;
    at += length;
  }
  return undefined;
}

function bracketItemLength(text: string): number | undefined {
  if (/^\[[:.=]/.test(text)) return CHARACTER_CLASS.exec(text)?.[0].length;
  if (!/^[^]-[^\]]/.test(text)) return 1;
  const rises = text.charAt(0) <= text.charAt(2) && !'-['.includes(text.charAt(2));
  const isLast = !/^-[^\]]/.test(text.slice(3));
  return rises && isLast ? 3 : undefined;
}

const CHARACTER_CLASS = /^\[:(?:alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit):\]/;
