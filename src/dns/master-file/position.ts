/** A place in a file. Both numbers begin at 1; columns count characters, however many octets they have in UTF-8. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * The position of the offset `at`, counted on from `lineStart`, the offset at which line number `line` begins.
 * @param text one character for each octet
 */
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

/** RFC 3629 §3: whether an octet continues a character that an earlier octet has begun. */
function isContinuation(octet: number): boolean {
  return (octet & 0xc0) === 0x80;
}
