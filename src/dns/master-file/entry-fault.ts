import type { Word } from './entry-scanner.js';

/** Where something stands in a file, both counted from 1; columns are characters, whatever octets they take in UTF-8. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What is wrong with an entry, and where in the text it stands; the message says how to mend it. */
export class EntryFault extends Error {
  override readonly name = 'EntryFault';

  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

/** Runs what may refuse a word, and turns the refusals of that kind into faults of the entry. */
export function blaming<T>(word: Word, kind: abstract new (...args: never[]) => Error, read: () => T, prefix = ''): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof kind ? new EntryFault(prefix + error.message, word.at) : error;
  }
}

/** Counts on from the start of a line to a place in the same text. */
export function positionIn(text: string, lineStart: number, line: number, at: number): Position {
  let column = 1;
  let lines = line;
  for (let i = lineStart; i < at; i++) {
    const octet = text.charCodeAt(i);
    if (octet === LINE_FEED) {
      lines++;
      column = 1;
    } else if (!isContinuation(octet)) {
      column++;
    }
  }
  return { line: lines, column };
}

const LINE_FEED = 0x0a;

/** RFC 3629 §3: the octets of a character after its first. */
function isContinuation(octet: number): boolean {
  return (octet & 0xc0) === 0x80;
}
