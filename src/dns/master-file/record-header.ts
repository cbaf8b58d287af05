import { EntryError } from './entry-error.js';
import type { EntryToken } from './entry-scanner.js';
import { parseTtl } from './ttl.js';

/** RFC 1035 §5.1: what stands between the owner name of a record and its data. */
export interface RecordHeader {
  /** In seconds; undefined where the record gives none. */
  readonly ttl: number | undefined;
  readonly type: EntryToken;
  /** The index of the first token of the data. */
  readonly dataFrom: number;
}

/**
 * Reads the header from the token at the index `from` on. TTL and class may be absent and stand in either order; they are
 * told apart by their first character, for no type begins with a digit and every TTL does.
 * @throws EntryError
 */
export function readHeader(tokens: readonly EntryToken[], from: number): RecordHeader {
  let ttl: number | undefined;
  let hasClass = false;
  for (let at = from; ; at++) {
    const token = tokens[at];
    if (!token) throw new EntryError('the record ends before its type: write TYPE and data', tokens[at - 1]?.at ?? 0);
    if (token.quoted) throw new EntryError('a type is expected here, not a text in quotes: leave them out', token.at);
    if (ttl === undefined && beginsWithDigit(token.text)) {
      ttl = parseTtl(token);
    } else if (!hasClass && CLASSES.test(token.text)) {
      assertInternet(token);
      hasClass = true;
    } else {
      return { ttl, type: token, dataFrom: at + 1 };
    }
  }
}

function beginsWithDigit(text: string): boolean {
  const first = text.charCodeAt(0);
  return first >= 0x30 && first <= 0x39;
}

function assertInternet({ text, at }: EntryToken): void {
  if (/^(IN|CLASS1)$/i.test(text)) return;
  throw new EntryError(`class ${text.toUpperCase()} is not served: leave the record out, or write IN`, at);
}

/** RFC 1035 §3.2.4, RFC 3597 §5. */
const CLASSES = /^(IN|CH|CHAOS|HS|HESIOD|CS|NONE|ANY|CLASS[0-9]{1,5})$/i;
