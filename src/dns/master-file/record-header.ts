import { EntryFault } from './entry-fault.js';
import type { Word } from './entry-scanner.js';
import { ttlOf } from './ttl.js';

/** RFC 1035 §5.1: what stands between the owner of a record and its data. */
export interface RecordHeader {
  readonly ttl: number | undefined;
  readonly type: Word;
  /** The index of the first item of the data. */
  readonly dataFrom: number;
}

/** TTL and class may be absent, and stand in either order. No type begins with a digit, no TTL with anything else. */
export function readHeader(words: readonly Word[], from: number): RecordHeader {
  let ttl: number | undefined;
  let hasClass = false;
  for (let at = from; ; at++) {
    const word = words[at];
    if (!word) throw new EntryFault('the record ends before its type: write TYPE and data', words[at - 1]?.at ?? 0);
    if (word.quoted) throw new EntryFault('a type is expected here, not a text in quotes: leave them out', word.at);
    if (ttl === undefined && beginsWithDigit(word.text)) {
      ttl = ttlOf(word);
    } else if (!hasClass && CLASSES.test(word.text)) {
      assertInternet(word);
      hasClass = true;
    } else {
      return { ttl, type: word, dataFrom: at + 1 };
    }
  }
}

function beginsWithDigit(text: string): boolean {
  const first = text.charCodeAt(0);
  return first >= 0x30 && first <= 0x39;
}

function assertInternet({ text, at }: Word): void {
  if (/^(IN|CLASS1)$/i.test(text)) return;
  throw new EntryFault(`class ${text.toUpperCase()} is not served: leave the record out, or write IN`, at);
}

/** RFC 1035 §3.2.4, RFC 3597 §5. */
const CLASSES = /^(IN|CH|CHAOS|HS|HESIOD|CS|NONE|ANY|CLASS[0-9]{1,5})$/i;
