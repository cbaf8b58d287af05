import type { Token } from '../rdata/index.js';
import { EntryError } from './entry-error.js';
import * as kinds from './octet-kinds.js';
import { kindAt } from './octet-kinds.js';
import { textOfRawOctets } from './raw-octets.js';

/** A token of a master-file entry, and where it begins. */
export interface EntryToken extends Token {
  /** Offset in the scanned text, in octets. */
  readonly at: number;
  /** Whether the text has octets above 127 as `\DDD` that the file has as they are. */
  readonly hasOctetEscapes?: boolean;
}

/**
 * What to skip before the next entry: nothing; the rest of the line; the rest of the entry, which is that of the line and
 * all lines after it that continue the entry; or only those lines.
 */
export type SkipMode = 'none' | 'line' | 'entry' | 'continuation';

/**
 * Divides a master file into entries (RFC 1035 §5.1): the tokens of a line, or of several lines in parentheses, without
 * comments. The text has one character for each octet. The public fields hold the result of the last scan.
 */
export class EntryScanner {
  tokens: EntryToken[] = [];
  /** Whether the entry begins with a blank, and so has no owner name of its own. */
  isIndented = false;
  /** The first error in the form of the entry. */
  error: EntryError | undefined;
  /** The offset at which the entry ends. */
  end = 0;
  /** How many lines end before that offset, in the entry. */
  lines = 0;
  /** What to skip from that offset on. */
  skipMode: SkipMode = 'none';

  private text = '';
  private at = 0;
  /** The scan stops before this offset. */
  private limit = 0;
  private openedAt = NOWHERE;
  private linesWhenOpened = 0;
  private hasHighOctets = false;
  private remainingOctets = 0;

  constructor(private readonly maxOctets: number) {}

  /**
   * Scans the entry that begins at `start`. Returns false, with no result, where it continues after the end of the text and
   * the text is not the last.
   */
  scan(text: string, start: number, isLast: boolean): boolean {
    this.text = text;
    this.at = start;
    this.limit = Math.min(text.length, start + this.maxOctets);
    if (this.tokens.length > 0) this.tokens = [];
    this.error = undefined;
    this.lines = 0;
    this.skipMode = 'none';
    this.openedAt = NOWHERE;
    this.remainingOctets = MAX_TOKEN_OCTETS;
    this.isIndented = kindAt(text, start) === kinds.BLANK;
    while (this.at < this.limit) {
      if (this.step(kindAt(text, this.at))) return true;
    }
    return this.endAtLimit(start, isLast);
  }

  /** Reads what begins at the current offset; returns true where the entry ends with it. */
  private step(kind: number): boolean {
    switch (kind) {
      case kinds.BLANK:
        this.at++;
        return false;
      case kinds.LINE_FEED:
        return this.readLineFeed();
      case kinds.CARRIAGE_RETURN:
        this.readCarriageReturns();
        return false;
      case kinds.SEMICOLON:
        this.skipComment();
        return false;
      case kinds.QUOTE:
        this.readQuoted();
        return false;
      case kinds.OPEN:
        return this.openParenthesis();
      case kinds.CLOSE:
        this.closeParenthesis();
        return false;
      case kinds.CONTROL:
        this.recordError(CONTROL_MESSAGE, this.at++);
        return false;
      default:
        this.readToken();
        return false;
    }
  }

  private readLineFeed(): boolean {
    this.at++;
    this.lines++;
    this.end = this.at;
    return this.openedAt === NOWHERE;
  }

  /** Programs disagree about what a carriage return divides that no line feed follows, so it is an error. */
  private readCarriageReturns(): void {
    const start = this.at;
    while (this.at < this.limit && kindAt(this.text, this.at) === kinds.CARRIAGE_RETURN) this.at++;
    if (this.at < this.limit && kindAt(this.text, this.at) !== kinds.LINE_FEED) {
      this.recordError('a carriage return stands alone here: end lines with LF or CR LF', start);
    }
  }

  private skipComment(): void {
    while (this.at < this.limit) {
      const kind = kindAt(this.text, this.at);
      if (kind === kinds.LINE_FEED || kind === kinds.CARRIAGE_RETURN) return;
      this.at++;
    }
  }

  /** A second parenthesis means that the first was forgotten: no name server but BIND reads one inside another. */
  private openParenthesis(): boolean {
    if (this.openedAt !== NOWHERE) return this.endAtParenthesis('is not closed before the next one is opened');
    this.openedAt = this.at++;
    this.linesWhenOpened = this.lines;
    return false;
  }

  private closeParenthesis(): void {
    if (this.openedAt === NOWHERE)
      this.recordError('this parenthesis closes nothing: leave it out, or escape it where it is meant', this.at);
    this.openedAt = NOWHERE;
    this.at++;
  }

  private readQuoted(): void {
    const start = this.at;
    const end = this.closingQuote(start);
    this.add(start + 1, end, true);
    this.at = kindAt(this.text, end) === kinds.QUOTE ? end + 1 : end;
  }

  private readToken(): void {
    const start = this.at;
    let at = start;
    while (at < this.limit) {
      const kind = kindAt(this.text, at);
      if (kind === kinds.PLAIN) at++;
      else if (kind === kinds.HIGH || kind === kinds.BACKSLASH) at = this.afterOctet(kind, at);
      else if (kind === kinds.QUOTE) at = this.afterInnerQuotes(start, at);
      else break;
    }
    this.add(start, at, false);
    this.at = at;
  }

  /** RFC 9460 §2.1: `key="value"` is one token. */
  private afterInnerQuotes(start: number, quote: number): number {
    if (quote === start || this.text[quote - 1] !== '=') {
      this.recordError(
        'a quote begins inside an item: write a blank before it, or \\" where it belongs to the item',
        quote,
      );
    }
    const end = this.closingQuote(quote);
    return kindAt(this.text, end) === kinds.QUOTE ? end + 1 : end;
  }

  /** The offset of the closing quote, or of the line end before it, so that a forgotten quote spoils a single line. */
  private closingQuote(opened: number): number {
    let at = opened + 1;
    while (at < this.limit) {
      const kind = kindAt(this.text, at);
      if (kind === kinds.QUOTE) return at;
      if (kind === kinds.LINE_FEED || kind === kinds.CARRIAGE_RETURN) break;
      at = this.afterOctet(kind, at);
    }
    this.recordError(
      'the quote that opens here is not closed in its line: close it, and write \\010 for a line end inside',
      opened,
    );
    return at;
  }

  private afterOctet(kind: number, at: number): number {
    if (kind === kinds.HIGH) this.hasHighOctets = true;
    if (kind === kinds.CONTROL) this.recordError(CONTROL_MESSAGE, at);
    return kind === kinds.BACKSLASH ? this.afterEscape(at) : at + 1;
  }

  private afterEscape(backslash: number): number {
    const kind = backslash + 1 < this.limit ? kindAt(this.text, backslash + 1) : kinds.LINE_FEED;
    if (kind === kinds.LINE_FEED || kind === kinds.CARRIAGE_RETURN || kind === kinds.CONTROL) {
      this.recordError('the backslash escapes nothing: write \\\\ for itself', backslash);
      return backslash + 1;
    }
    if (kind === kinds.HIGH) this.hasHighOctets = true;
    return backslash + 2;
  }

  private add(start: number, end: number, quoted: boolean): void {
    const at = quoted ? start - 1 : start;
    this.remainingOctets -= end - start + 1;
    if (this.remainingOctets < 0) {
      this.recordError('here the entry has more data than fits into one record: shorten it', at);
    } else {
      const raw = this.text.slice(start, end);
      this.tokens.push(this.hasHighOctets ? { ...textOfRawOctets(raw), quoted, at } : { text: raw, quoted, at });
    }
    this.hasHighOctets = false;
  }

  private endAtLimit(start: number, isLast: boolean): boolean {
    if (this.limit < this.text.length) return this.endTooLong(start);
    if (!isLast) return false;
    if (this.openedAt !== NOWHERE) return this.endAtParenthesis('is not closed up to the end of the file');
    this.end = this.limit;
    return true;
  }

  private endTooLong(start: number): true {
    if (this.openedAt !== NOWHERE) return this.endAtParenthesis(`is not closed within ${this.maxOctets} octets`);
    this.error = new EntryError(`this entry is longer than ${this.maxOctets} octets: end its line earlier`, start);
    this.end = this.limit;
    this.skipMode = 'line';
    return true;
  }

  /** Ends the entry right after the parenthesis, so that no entry behind it is lost. */
  private endAtParenthesis(what: string): true {
    this.error = new EntryError(
      `the parenthesis that opens here ${what}: close it where its record ends`,
      this.openedAt,
    );
    this.end = this.openedAt + 1;
    this.lines = this.linesWhenOpened;
    this.skipMode = 'entry';
    return true;
  }

  private recordError(message: string, at: number): void {
    this.error ??= new EntryError(message, at);
  }
}

const NOWHERE = -1;

/** The longest RDATA with every octet as `\DDD`, a name and a little more. Tokens beyond it are not kept. */
const MAX_TOKEN_OCTETS = 4 * 0xffff + 8192;

const CONTROL_MESSAGE = 'a control character stands here: leave it out, or write \\DDD for it in a text';
