/** Both begin at 1. Columns count UTF-8 characters, not octets. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** @param text one character for each octet @param lineStart offset of the line number `line` */
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

/** RFC 3629 §3. */
function isContinuation(octet: number): boolean {
  return (octet & 0xc0) === 0x80;
}
