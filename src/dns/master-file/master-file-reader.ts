import { ALIAS } from '../rdata/alias.js';
import { EntryError } from './entry-error.js';
import { EntryReader } from './entry-reader.js';
import { EntryScanner, type EntryToken, type SkipMode } from './entry-scanner.js';
import type { MasterFileOptions, MasterFileSink } from './master-file.js';
import * as kinds from './octet-kinds.js';
import { kindAt } from './octet-kinds.js';
import { positionIn } from './position.js';

const DEFAULTS = { maxGenerated: 65_536, maxEntryOctets: 2 ** 20 };

/** A file with more errors is not a zone file. */
const MAX_ERRORS = 1000;

/** Quoted octets of a comment. */
const MAX_SHOWN = 60;

/** Octets. Small blocks are short-lived, which is cheap for the garbage collector. */
const BLOCK = 2 ** 13;

/**
 * Reads a master file (RFC 1035 §5) in constant memory as its octets arrive. Calls the sink in file order, during
 * `push` or `end`. Continues after errors, so that one pass finds all.
 */
export class MasterFileReader {
  private readonly scanner: EntryScanner;
  private readonly entries: EntryReader;
  private readonly readsAliases: boolean;
  private buffer = Buffer.alloc(BLOCK);
  private buffered = 0;
  private isAtStart = true;
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
    this.readsAliases = options.types.byName(ALIAS.name) !== undefined;
  }

  /** Ignores further octets: after 1,000 errors, or for a file in UTF-16. */
  get hasStopped(): boolean {
    return this.stopped;
  }

  /** Copies the octets. */
  push(octets: Uint8Array): void {
    for (let at = 0; at < octets.length && !this.stopped;) {
      const part = octets.subarray(at, at + this.buffer.length - this.buffered);
      this.buffer.set(part, this.buffered);
      this.buffered += part.length;
      at += part.length;
      if (this.buffered === this.buffer.length) this.readBuffer(false);
    }
  }

  end(): void {
    this.readBuffer(true);
  }

  private readBuffer(isLast: boolean): void {
    const text = this.buffer.toString('latin1', 0, this.buffered);
    let at = this.isAtStart ? this.readByteOrderMark(text) : 0;
    while (at < text.length && !this.stopped) {
      if (this.skipMode !== 'none') at = this.skip(text, at);
      else if (kindAt(text, at) === kinds.LINE_FEED) at = this.skipEmptyLines(text, at);
      else if (this.isAliasLine(text, at)) at += 1;
      else if (text[at] === '#' && this.entries.hasHashComments) this.skipHashComment(text, at);
      else if (this.scanner.scan(text, at, isLast)) at = this.readEntry(text, at);
      else break;
    }
    this.keepFrom(at);
  }

  /** RFC 3629 §6. Returns the offset after the mark. Stops for UTF-16. */
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

  /** If ALIAS is not a type here, its line is a comment, and its addresses are records like others. */
  private isAliasLine(text: string, at: number): boolean {
    if (!this.readsAliases || kindAt(text, at) !== kinds.SEMICOLON) return false;
    return ALIAS_LINE.test(text.slice(at, at + ALIAS_LINE_OCTETS));
  }

  /** Avoids one scan for each empty line. */
  private skipEmptyLines(text: string, start: number): number {
    let at = start;
    while (at < text.length && kindAt(text, at) === kinds.LINE_FEED) at++;
    this.line += at - start;
    return at;
  }

  /** Bypasses the scanner: quotes and parentheses have no meaning in comments. */
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

  /** Skips at most one line. Returns the offset after it. */
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

  /**
   * Doubles the buffer for a long entry, so that not every small piece starts a new scan. Later entries have a small one
   * again: texts of 2 MiB take hundreds of megabytes before garbage collection.
   */
  private keepFrom(offset: number): void {
    const rest = this.buffer.subarray(offset, this.buffered);
    const size = 2 * rest.length > this.buffer.length ? 2 * this.buffer.length : this.buffer.length;
    const target = this.bufferOf(rest.length === 0 ? BLOCK : size);
    target.set(rest);
    this.buffer = target;
    this.buffered = rest.length;
  }

  private bufferOf(size: number): Buffer<ArrayBuffer> {
    return size === this.buffer.length ? this.buffer : Buffer.alloc(size);
  }
}

/** A comment that an export writes for an ALIAS, with tabs, or with blanks and perhaps without a TTL. */
const ALIAS_LINE = /^;[^\s;]+[ \t]\d*[ \t]IN[ \t]ALIAS[ \t][^\s;]+\r?\n/;
/** Two names with each octet as `\DDD`, and the rest. */
const ALIAS_LINE_OCTETS = 2100;

const CONTINUES: ReadonlySet<number> = new Set([
  kinds.BLANK,
  kinds.LINE_FEED,
  kinds.CARRIAGE_RETURN,
  kinds.SEMICOLON,
  kinds.CLOSE,
]);
