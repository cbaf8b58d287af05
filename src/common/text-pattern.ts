import { ServiceError } from './service-error.js';
import { isText } from './json.js';

/** Longer than any legitimate pattern. */
const MAX_PATTERN = 1024;
const WILDCARD = '*';

/** A part between wildcards, with its failure table (Knuth, Morris, Pratt). */
interface Piece {
  readonly codes: Uint16Array;
  readonly borders: Uint16Array;
}

/** Matches texts, ignoring ASCII case. `*` is the only wildcard. Takes linear time for all patterns. */
export class TextPattern {
  private readonly first: Uint16Array;
  private readonly inner: readonly Piece[];
  /** `null` without a wildcard. */
  private readonly last: Uint16Array | null;
  private readonly shortest: number;
  /** Neither database stores invalid text, so it matches nothing. */
  private readonly isPossible: boolean;

  /** @throws ServiceError `bad_filter` for a pattern that is too long */
  constructor(pattern: string) {
    if (pattern.includes(WILDCARD) && pattern.length > MAX_PATTERN)
      throw new ServiceError('bad_filter', `A filter with * has at most ${MAX_PATTERN} characters.`);
    const pieces = pattern.split(WILDCARD).map(codesOf);
    this.isPossible = isText(pattern);
    this.first = pieces[0] ?? codesOf('');
    this.last = pieces.length > 1 ? (pieces.at(-1) ?? null) : null;
    this.inner = pieces
      .slice(1, -1)
      .filter(({ length }) => length > 0)
      .map(pieceOf);
    this.shortest = pieces.reduce((sum, { length }) => sum + length, 0);
  }

  matches(text: string): boolean {
    if (!this.isPossible || text.length < this.shortest || !isAt(text, 0, this.first)) return false;
    if (this.last === null) return text.length === this.first.length;
    const end = text.length - this.last.length;
    if (!isAt(text, end, this.last)) return false;
    let from = this.first.length;
    for (const piece of this.inner) {
      from = endOf(piece, text, from, end);
      if (from < 0) return false;
    }
    return true;
  }
}

function codesOf(text: string): Uint16Array {
  const codes = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) codes[at] = lowerCodeAt(text, at);
  return codes;
}

/** ASCII only. */
function lowerCodeAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

function isAt(text: string, start: number, codes: Uint16Array): boolean {
  for (let at = 0; at < codes.length; at += 1) if (lowerCodeAt(text, start + at) !== codes[at]) return false;
  return true;
}

function pieceOf(codes: Uint16Array): Piece {
  const borders = new Uint16Array(codes.length);
  for (let at = 1, right = 0; at < codes.length; at += 1) {
    while (right > 0 && codes[at] !== codes[right]) right = borders[right - 1] ?? 0;
    if (codes[at] === codes[right]) right += 1;
    borders[at] = right;
  }
  return { codes, borders };
}

function endOf({ codes, borders }: Piece, text: string, from: number, to: number): number {
  for (let at = from, right = 0; at < to; at += 1) {
    const code = lowerCodeAt(text, at);
    while (right > 0 && code !== codes[right]) right = borders[right - 1] ?? 0;
    if (code === codes[right]) right += 1;
    if (right === codes.length) return at + 1;
  }
  return -1;
}
