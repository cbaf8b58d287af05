import { EntryError } from './entry-error.js';
import { EntryReader } from './entry-reader.js';
import { EntryScanner, type EntryToken, type SkipMode } from './entry-scanner.js';
import type { MasterFileOptions, MasterFileSink } from './master-file.js';
import * as kinds from './octet-kinds.js';
import { kindAt } from './octet-kinds.js';
import { positionIn } from './position.js';

const DEFAULTS = { maxGenerated: 65_536, maxEntryOctets: 2 ** 20 };

/** A file with more errors is another kind of file. */
const MAX_ERRORS = 1000;

/** In octets: how much of a comment a repair quotes. */
const MAX_SHOWN = 60;

/** How many octets are read at a time. Small blocks die young, and cost the garbage collector next to nothing. */
const BLOCK = 2 ** 13;

/**
 * Reads a master file (RFC 1035 §5) as its octets arrive, in memory that does not grow with the file. Records and errors go
 * to the sink in the order of the file, during `push` or `end`; how the octets were divided makes no difference. After an
 * error the reader goes on with the next entry, so that one reading finds them all.
 */
export class MasterFileReader {
  private readonly scanner: EntryScanner;
  private readonly entries: EntryReader;
  private buffer = Buffer.alloc(BLOCK);
  private buffered = 0;
  private isAtStart = true;
  /** The number of the line at which the text of the buffer begins. */
  private line = 1;
  private skipMode: SkipMode = 'none';
  private errors = 0;
  private stopped = false;

  constructor(
    options: MasterFileOptions,
    private readonly sink: MasterFileSink,
  ) {
    const complete = { initialOrigin: options.origin, ...DEFAULTS, ...options };
    this.scanner = new EntryScanner(complete.maxEntryOctets);
    this.entries = new EntryReader(complete, sink);
  }

  /** Whether the reader ignores all further octets: after 1,000 errors, or because the file is in UTF-16. */
  get hasStopped(): boolean {
    return this.stopped;
  }

  /** Takes the next octets of the file; the array may be changed afterwards. */
  push(octets: Uint8Array): void {
    for (let at = 0; at < octets.length && !this.stopped;) {
      const part = octets.subarray(at, at + this.buffer.length - this.buffered);
      this.buffer.set(part, this.buffered);
      this.buffered += part.length;
      at += part.length;
      if (this.buffered === this.buffer.length) this.readBuffer(false);
    }
  }

  /** Reads what is left when the file has ended. */
  end(): void {
    this.readBuffer(true);
  }

  private readBuffer(isLast: boolean): void {
    const text = this.buffer.toString('latin1', 0, this.buffered);
    let at = this.isAtStart ? this.readByteOrderMark(text) : 0;
    while (at < text.length && !this.stopped) {
      if (this.skipMode !== 'none') at = this.skip(text, at);
      else if (kindAt(text, at) === kinds.LINE_FEED) at = this.skipEmptyLines(text, at);
      else if (text[at] === '#' && this.entries.hasHashComments) this.skipHashComment(text, at);
      else if (this.scanner.scan(text, at, isLast)) at = this.readEntry(text, at);
      else break;
    }
    this.keepFrom(at);
  }

  /** RFC 3629 §6. Returns the offset behind the mark; a file in UTF-16, which the mark reveals, cannot be read. */
  private readByteOrderMark(text: string): number {
    this.isAtStart = false;
    if (text.startsWith('\xef\xbb\xbf')) return 3;
    if (/^(?:\xff\xfe|\xfe\xff)/.test(text)) {
      this.stopped = true;
      this.sink.error({
        line: 1,
        column: 1,
        message: 'the file is written in UTF-16: save it as UTF-8 or plain ASCII',
      });
    }
    return 0;
  }

  /** A file of nothing else would otherwise scan an entry for each of its octets. */
  private skipEmptyLines(text: string, start: number): number {
    let at = start;
    while (at < text.length && kindAt(text, at) === kinds.LINE_FEED) at++;
    this.line += at - start;
    return at;
  }

  /** Before the scanner sees it: quotes and parentheses mean nothing in a comment. */
  private skipHashComment(text: string, at: number): void {
    this.skipMode = 'line';
    const [shown = ''] = text.slice(at, at + MAX_SHOWN).split(/[\r\n]/, 1);
    const comment = Buffer.from(shown, 'latin1').toString();
    this.sink.repair?.({ line: this.line, column: 1, kind: 'hash_comment', text: comment });
  }

  private readEntry(text: string, start: number): number {
    const { error, tokens, isIndented, end, lines, skipMode } = this.scanner;
    if (error) this.report(error, text, start);
    else if (tokens[0]) this.interpret(tokens, isIndented, text, start);
    else this.entries.recordComment(text.slice(start, end));
    this.line += lines;
    this.skipMode = skipMode;
    return end;
  }

  private interpret(tokens: readonly EntryToken[], isIndented: boolean, text: string, start: number): void {
    const firstLine = this.line;
    const positionOf = (at: number) => positionIn(text, start, firstLine, at);
    try {
      this.entries.read({ tokens, isIndented, ...positionOf(tokens[0]?.at ?? start), positionOf });
    } catch (error) {
      if (!(error instanceof EntryError)) throw error;
      this.report(error, text, start);
    }
  }

  private report({ message, at }: EntryError, text: string, start: number): void {
    this.sink.error({ ...positionIn(text, start, this.line, at), message });
    this.stopped = ++this.errors === MAX_ERRORS;
  }

  /** Skips as `skipMode` says, no further than one line or the end of the text; returns the offset behind it. */
  private skip(text: string, at: number): number {
    if (this.skipMode === 'continuation' && !CONTINUES.has(kindAt(text, at))) {
      this.skipMode = 'none';
      return at;
    }
    const lineFeed = text.indexOf('\n', at);
    if (lineFeed < 0) {
      this.skipMode = this.skipMode === 'line' ? 'line' : 'entry';
      return text.length;
    }
    this.line++;
    this.skipMode = this.skipMode === 'line' ? 'none' : 'continuation';
    return lineFeed + 1;
  }

  /** Doubles the buffer where an entry fills most of it: otherwise an entry in small pieces is scanned once for each piece. */
  private keepFrom(offset: number): void {
    const rest = this.buffer.subarray(offset, this.buffered);
    const target = 2 * rest.length > this.buffer.length ? Buffer.alloc(2 * this.buffer.length) : this.buffer;
    target.set(rest);
    this.buffer = target;
    this.buffered = rest.length;
  }
}

/** The kinds of octets with which a line begins that continues the entry before it. */
const CONTINUES: ReadonlySet<number> = new Set([
  kinds.BLANK,
  kinds.LINE_FEED,
  kinds.CARRIAGE_RETURN,
  kinds.SEMICOLON,
  kinds.CLOSE,
]);
