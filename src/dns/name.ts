import { toALabels } from './a-label.js';
import { ESCAPE_HELP, presentationForms, readEscape } from './escapes.js';

const MAX_NAME_OCTETS = 255;
const MAX_LABEL_OCTETS = 63;
/** Every octet of the longest name written as `\DDD`; what is longer need not be looked at. */
const MAX_NAME_TEXT = 4 * MAX_NAME_OCTETS;

const DOT = 0x2e;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const DELETE = 0x7f;

/** A text or octets that are no domain name; the message names the fault and the way out. */
export class NameError extends Error {
  override readonly name = 'NameError';
}

/** RFC 1035 §3.1: an absolute domain name, as octets that never change. */
export class DomainName {
  /** Uncompressed, the root octet at its end, letters in the case they were written in. */
  readonly wire: Uint8Array;
  private lazyLabels: readonly Uint8Array[] | undefined;
  private lazyKey: string | undefined;

  private constructor(wire: Uint8Array) {
    this.wire = wire;
  }

  static readonly ROOT = new DomainName(Uint8Array.of(0));

  /** RFC 1035 §5.1: reads master-file text; relative names and `@` mean something only with an origin. */
  static parse(text: string, origin?: DomainName): DomainName {
    if (text.length > MAX_NAME_TEXT) throw tooLong(text);
    if (text === '') throw new NameError('a domain name cannot be empty: write "." for the root');
    if (text === '.') return DomainName.ROOT;
    if (text === '@') return origin ?? refuseOrigin();

    const length = readLabels(text, origin);
    if (length > MAX_NAME_OCTETS) throw tooLong(text);
    return new DomainName(new Uint8Array(SCRATCH.subarray(0, length)));
  }

  /** Reads an uncompressed name out of a message or RDATA; `wire.length` of the result tells where it ends. */
  static read(wire: Uint8Array, offset = 0): DomainName {
    let at = offset;
    for (let length = wire[at]; length !== 0; length = wire[at]) {
      if (length === undefined) throw new NameError('the domain name is cut off');
      if (length > MAX_LABEL_OCTETS) throw new NameError('the domain name is compressed or has an unknown label type');
      at += length + 1;
    }
    const end = at + 1;
    if (end - offset > MAX_NAME_OCTETS) throw new NameError(`the domain name is longer than ${MAX_NAME_OCTETS} octets`);
    return end - offset === 1 ? DomainName.ROOT : new DomainName(wire.slice(offset, end));
  }

  get labels(): readonly Uint8Array[] {
    return (this.lazyLabels ??= labelStarts(this.wire).map((at) =>
      this.wire.subarray(at + 1, at + 1 + octetAt(this.wire, at)),
    ));
  }

  /** Labels without the root: 0 for `.`, 2 for `example.org.`. */
  get labelCount(): number {
    return labelStarts(this.wire).length;
  }

  /**
   * ASCII text whose bytewise order is the canonical order of names (RFC 4034 §6.1) and whose equality is that of names:
   * lower-case labels from the root down, joined by blanks. Octets that could disturb the order are written `!hh` or `~hh`.
   */
  get key(): string {
    return (this.lazyKey ??= keyOf(this.wire));
  }

  /** RFC 4034 §6.2: the same name with its letters in lower case. */
  get canonical(): DomainName {
    return new DomainName(this.wire.map(lowerCase));
  }

  isWithin(ancestor: DomainName): boolean {
    const excess = this.wire.length - ancestor.wire.length;
    let at = 0;
    while (at < excess) at += octetAt(this.wire, at) + 1;
    return at === excess && endsAlike(this.wire, ancestor.wire);
  }

  equals(other: DomainName): boolean {
    return this.wire.length === other.wire.length && endsAlike(this.wire, other.wire);
  }

  /** RFC 1035 §5.1, RFC 4343 §2.1: absolute presentation text that every name server reads alike. */
  toString(): string {
    if (this.wire.length === 1) return '.';
    let text = '';
    for (let at = 0; this.wire[at] !== 0;) {
      const end = at + 1 + octetAt(this.wire, at);
      while (++at < end) text += PRESENTATION[octetAt(this.wire, at)] ?? '';
      text += '.';
    }
    return text;
  }
}

/** `DomainName.isWithin` on keys. */
export function isKeyWithin(key: string, ancestorKey: string): boolean {
  if (!key.startsWith(ancestorKey)) return false;
  return ancestorKey === '' || key.length === ancestorKey.length || key.charCodeAt(ancestorKey.length) === SPACE;
}

/** For messages: the text in quotes, cut when it is long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 60)}…` : text);
}

/** Reading writes here first: allocating the octets once, when their number is known, is what makes it fast. */
const SCRATCH = Buffer.alloc(MAX_NAME_TEXT + 2 + MAX_NAME_OCTETS);

/** Fills SCRATCH and returns the number of octets of the whole name. */
function readLabels(text: string, origin: DomainName | undefined): number {
  let start = 0;
  let at = 1;
  for (let i = 0; i < text.length; i++) {
    let octet = text.charCodeAt(i);
    if (octet === DOT) {
      closeLabel(text, start, at);
      start = at++;
      continue;
    }
    if (octet === BACKSLASH) {
      const escape = readEscape(text, i);
      if (!escape) throw new NameError(`${quoted(text)} has a bad escape: ${ESCAPE_HELP}`);
      octet = escape.octet;
      i += escape.length - 1;
    } else if (IS_PLAIN[octet] !== 1) {
      throw notPlain(text, octet);
    }
    SCRATCH[at++] = octet;
  }
  const endsInDot = at - start === 1;
  if (!endsInDot) closeLabel(text, start, at);
  if (!endsInDot && !origin) throw notAbsolute(text);
  const end = endsInDot || !origin ? DomainName.ROOT.wire : origin.wire;
  const length = endsInDot ? start : at;
  SCRATCH.set(end, length);
  return length + end.length;
}

function closeLabel(text: string, start: number, end: number): void {
  const length = end - start - 1;
  if (length === 0) {
    throw new NameError(`${quoted(text)} has an empty label: write one dot between labels and none before the first`);
  }
  if (length > MAX_LABEL_OCTETS) {
    throw new NameError(`${quoted(text)} has a label of more than ${MAX_LABEL_OCTETS} octets`);
  }
  SCRATCH[start] = length;
}

function keyOf(wire: Uint8Array): string {
  let key = '';
  for (const start of labelStarts(wire).reverse()) {
    const end = start + 1 + octetAt(wire, start);
    if (key !== '') key += ' ';
    for (let at = start + 1; at < end; at++) key += KEY_FORM[octetAt(wire, at)] ?? '';
  }
  return key;
}

function labelStarts(wire: Uint8Array): number[] {
  const starts: number[] = [];
  for (let at = 0; wire[at] !== 0; at += octetAt(wire, at) + 1) starts.push(at);
  return starts;
}

/** Length octets are below 64 and so the same in lower case: whole names compare octet by octet. */
function endsAlike(wire: Uint8Array, tail: Uint8Array): boolean {
  const excess = wire.length - tail.length;
  for (let at = tail.length - 1; at >= 0; at--) {
    if (lowerCase(octetAt(wire, excess + at)) !== lowerCase(octetAt(tail, at))) return false;
  }
  return true;
}

function octetAt(wire: Uint8Array, at: number): number {
  return wire[at] ?? 0;
}

/** RFC 4343 §3: only the ASCII letters have two cases. */
function lowerCase(octet: number): number {
  return octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet;
}

function tooLong(text: string): NameError {
  return new NameError(`${quoted(text)} is longer than the ${MAX_NAME_OCTETS} octets that a domain name may have`);
}

function notAbsolute(text: string): NameError {
  return new NameError(`${quoted(text)} is not an absolute name: end it with a dot`);
}

function refuseOrigin(): never {
  throw new NameError('"@" stands for nothing here: write the name in full and end it with a dot');
}

function notPlain(text: string, code: number): NameError {
  if (code > DELETE) return notAscii(text);
  const fault =
    code > SPACE && code < DELETE ? `an unescaped ${String.fromCharCode(code)}` : 'a blank or control character';
  return new NameError(`${quoted(text)} has ${fault}: leave it out, or escape it where the name really has it`);
}

function notAscii(text: string): NameError {
  const ascii = toALabels(text);
  const wayOut = ascii !== null && isReadable(ascii) ? `write ${quoted(ascii)}` : 'write its A-labels (xn--…)';
  return new NameError(`${quoted(text)} is not ASCII: ${wayOut}`);
}

function isReadable(text: string): boolean {
  try {
    DomainName.parse(text, DomainName.ROOT);
    return true;
  } catch {
    return false;
  }
}

const IS_PLAIN = Uint8Array.from({ length: 128 }, (_, octet) =>
  octet > SPACE && octet < DELETE && !'"();\\'.includes(String.fromCharCode(octet)) ? 1 : 0,
);

/** Knot refuses other punctuation as it stands, ldns takes `\@` for the origin, and NSD takes `\\.` for an escaped dot. */
const PRESENTATION = presentationForms(/^[0-9A-Za-z_*/-]$/, '.');

const KEY_FORM = Array.from({ length: 256 }, (_, octet) => {
  if (octet > 0x21 && octet < 0x7e) return String.fromCharCode(lowerCase(octet));
  return `${octet < 0x7e ? '!' : '~'}${octet.toString(16).padStart(2, '0')}`;
});
