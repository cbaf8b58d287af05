import { toALabels, labelStarts, lowerCase } from './labels.js';
import { ESCAPE_HELP, presentationForms, readEscape } from './escapes.js';
import { keyOf } from './name-key.js';

const MAX_NAME_OCTETS = 255;
const MAX_LABEL_OCTETS = 63;
/** Characters: the longest name with every octet as `\DDD`. */
const MAX_NAME_TEXT = 4 * MAX_NAME_OCTETS;

const DOT = 0x2e;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const DELETE = 0x7f;

/** An invalid domain name. The message has cause and remedy. */
export class NameError extends Error {
  override readonly name = 'NameError';
}

/** An absolute domain name (RFC 1035 §3.1), immutable. */
export class DomainName {
  /** The uncompressed name with the root octet, in its original case. */
  readonly wire: Uint8Array;
  private lazyLabels: readonly Uint8Array[] | undefined;
  private lazyKey: string | undefined;

  private constructor(wire: Uint8Array) {
    this.wire = wire;
  }

  static readonly ROOT = new DomainName(Uint8Array.of(0));

  /**
   * Reads master-file text (RFC 1035 §5.1). The origin completes relative names and `@`, which are errors without it.
   * @throws NameError
   */
  static parse(text: string, origin?: DomainName): DomainName {
    if (text.length > MAX_NAME_TEXT) throw tooLongError(text);
    if (text === '') throw new NameError('a domain name cannot be empty: write "." for the root');
    if (text === '.') return DomainName.ROOT;
    if (text === '@') return origin ?? throwNoOrigin();

    const length = readLabels(text, origin);
    if (length > MAX_NAME_OCTETS) throw tooLongError(text);
    return new DomainName(SCRATCH.slice(0, length));
  }

  /** Reads an uncompressed name. `wire.length` of the result is the number of octets read. @throws NameError */
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

  /** Number of labels without the root: 0 for `.`, 2 for `example.org.`. */
  get labelCount(): number {
    let count = 0;
    for (let at = 0; this.wire[at] !== 0; at += 1 + octetAt(this.wire, at)) count += 1;
    return count;
  }

  /** Text to sort and compare names by; see `name-key.ts`. */
  get key(): string {
    return (this.lazyKey ??= keyOf(this.wire));
  }

  /** The name in lower case (RFC 4034 §6.2). */
  get canonical(): DomainName {
    // Most names are in lower case.
    for (const octet of this.wire) if (octet !== lowerCase(octet)) return new DomainName(this.wire.map(lowerCase));
    return this;
  }

  /** Whether this name is the ancestor or below it. */
  isWithin(ancestor: DomainName): boolean {
    const excess = this.wire.length - ancestor.wire.length;
    let at = 0;
    while (at < excess) at += octetAt(this.wire, at) + 1;
    return at === excess && endsWith(this.wire, ancestor.wire);
  }

  equals(other: DomainName): boolean {
    return this.wire.length === other.wire.length && endsWith(this.wire, other.wire);
  }

  /** Absolute text in printable ASCII that all name servers read alike (RFC 1035 §5.1, RFC 4343 §2.1). */
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

/** Quotes text for a message without adding escapes. Cuts text of more than 80 characters to 60. */
export function quoted(text: string): string {
  const shown = printable(text.length > 80 ? `${text.slice(0, 60)}…` : text);
  return shown.includes('"') ? `'${shown}'` : `"${shown}"`;
}

/** For messages about a zone file: without unnecessary escapes (RFC 1035 §5.1), octets above 127 read as UTF-8. */
export function displayName({ labels }: DomainName): string {
  const forms = labels.map((label) => `${Array.from(label, (octet) => SHOWN[octet] ?? '').join('')}.`);
  return forms.length === 0 ? '.' : printable(Buffer.from(forms.join(''), 'latin1').toString());
}

/** Replaces control characters, which a terminal would interpret, by their pictures. */
function printable(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, (character) => {
    const code = character.charCodeAt(0);
    if (code > DELETE) return '\ufffd';
    return code === DELETE ? '\u2421' : String.fromCharCode(PICTURES + code);
  });
}

/** U+2400, the picture of NUL. */
const PICTURES = 0x2400;

/** Shared, so that each name is allocated only once, with its final length. */
const SCRATCH = new Uint8Array(MAX_NAME_TEXT + 2 + MAX_NAME_OCTETS);

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
      throw notPlainError(text, octet);
    }
    SCRATCH[at++] = octet;
  }
  const endsInDot = at - start === 1;
  if (!endsInDot) closeLabel(text, start, at);
  if (!endsInDot && !origin) throw new NameError(`${quoted(text)} is not an absolute name: end it with a dot`);
  const end = endsInDot || !origin ? DomainName.ROOT.wire : origin.wire;
  const length = endsInDot ? start : at;
  SCRATCH.set(end, length);
  return length + end.length;
}

function closeLabel(text: string, start: number, end: number): void {
  const length = end - start - 1;
  if (length === 0)
    throw new NameError(`${quoted(text)} has an empty label: write one dot between labels and none before the first`);
  if (length > MAX_LABEL_OCTETS)
    throw new NameError(`${quoted(text)} has a label of more than ${MAX_LABEL_OCTETS} octets: shorten it`);
  SCRATCH[start] = length;
}

/** Ignores case. Length octets are below 64, so they are not letters. */
function endsWith(wire: Uint8Array, tail: Uint8Array): boolean {
  const excess = wire.length - tail.length;
  for (let at = tail.length - 1; at >= 0; at--)
    if (lowerCase(octetAt(wire, excess + at)) !== lowerCase(octetAt(tail, at))) return false;
  return true;
}

function octetAt(wire: Uint8Array, at: number): number {
  return wire[at] ?? 0;
}

function tooLongError(text: string): NameError {
  return new NameError(
    `${quoted(text)} is longer than the ${MAX_NAME_OCTETS} octets that a domain name may have: shorten it`,
  );
}

function throwNoOrigin(): never {
  throw new NameError('"@" stands for nothing here: write the name in full and end it with a dot');
}

function notPlainError(text: string, code: number): NameError {
  if (code > DELETE) return notAsciiError(text);
  const what =
    code > SPACE && code < DELETE ? `an unescaped ${String.fromCharCode(code)}` : 'a blank or control character';
  return new NameError(`${quoted(text)} has ${what}: leave it out, or escape it where the name really has it`);
}

function notAsciiError(text: string): NameError {
  const ascii = toALabels(text);
  const advice = ascii !== null && isName(ascii) ? `write ${quoted(ascii)}` : 'write its A-labels (xn--…)';
  return new NameError(`${quoted(text)} is not ASCII: ${advice}`);
}

function isName(text: string): boolean {
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

/** Other punctuation becomes `\DDD`: Knot refuses it, ldns reads `\@` as the origin, NSD `\\.` as an escaped dot. */
const PRESENTATION = presentationForms(/^[0-9A-Za-z_*/-]$/, '.');

const SHOWN = presentationForms(/^[!-~\x80-\xff]$/, '"();\\.');

export function nameOrNull(read: () => DomainName): DomainName | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof NameError) return null;
    throw error;
  }
}
