/** A word of a zone file, as written, with its place in the file. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** One entry of a zone file (RFC 1035 §5.1), which parentheses extend over several lines. */
export interface FileEntry {
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly Token[];
  /** Whether it has the owner name of the entry before it. */
  readonly inheritsOwner: boolean;
}

/** Where a line begins, counted from 1; `null` if the file has fewer lines. */
export function startOfLine(file: string, line: number): number | null {
  let start = 0;
  for (let n = 1; n < line; n += 1) {
    const end = file.indexOf('\n', start);
    if (end < 0) return null;
    start = end + 1;
  }
  return start;
}

/** The entry that begins in a line. */
export function entryAt(file: string, line: number): FileEntry | null {
  const start = startOfLine(file, line);
  if (start === null) return null;
  const tokens: Token[] = [];
  let depth = 0;
  let at = start;
  for (; at < file.length;) {
    const char = file.charAt(at);
    if (char === '\n' && depth <= 0) break;
    if (char === ';') at = endOfLine(file, at);
    else if (/[\s()]/.test(char)) {
      depth += char === '(' ? 1 : char === ')' ? -1 : 0;
      at += 1;
    } else {
      const end = endOfToken(file, at);
      tokens.push({ text: file.slice(at, end), start: at, end });
      at = end;
    }
  }
  const end = file.charAt(at - 1) === '\r' ? at - 1 : at;
  return { start, end, tokens, inheritsOwner: /[ \t]/.test(file.charAt(start)) };
}

function endOfLine(file: string, from: number): number {
  const end = file.indexOf('\n', from);
  return end < 0 ? file.length : end;
}

function endOfToken(file: string, start: number): number {
  const isQuoted = file.charAt(start) === '"';
  const ends = isQuoted ? /["\n]/ : /[\s;()"]/;
  let at = start + 1;
  if (!isQuoted && file.charAt(start) === '\\') at += 1;
  while (at < file.length && !ends.test(file.charAt(at))) at += file.charAt(at) === '\\' ? 2 : 1;
  return Math.min(isQuoted && file.charAt(at) === '"' ? at + 1 : at, file.length);
}
