import type { Token } from '../rdata/index.js';
import { EntryError } from './entry-error.js';
import { kindAt } from './octet-kinds.js';
import * as kinds from './octet-kinds.js';
import { isUtf8 } from 'node:buffer';

export interface EntryToken extends Token {
  /** Octet offset in the scanned text. */
  readonly at: number;
  /** Whether `\DDD` in the text stands for raw octets above 127. */
  readonly hasOctetEscapes?: boolean;
}

/** Skipped text before the next entry. `entry` includes its continuation lines. */
export type SkipMode = 'none' | 'line' | 'entry' | 'continuation';

/**
 * Splits a master file into entries (RFC 1035 §5.1): tokens of one line, or of several in parentheses. The text has one
 * character for each octet. The public fields hold the last result.
 */
export class EntryScanner {
  tokens: EntryToken[] = [];
  /** Whether the entry begins with a blank and inherits its owner name. */
  isIndented = false;
  error: EntryError | undefined;
  end = 0;
  lines = 0;
  skipMode: SkipMode = 'none';

  private text = '';
  private at = 0;
  private limit = 0;
  private openedAt = NOWHERE;
  private linesWhenOpened = 0;
  private hasHighOctets = false;
  private remainingOctets = 0;

  constructor(private readonly maxOctets: number) {}

  /** Scans the entry at `start`. Returns false if the entry continues beyond the text and more text follows. */
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

  /** Returns true at the end of the entry. */
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

  /** Programs disagree about a carriage return without a line feed, so it is an error. */
  private readCarriageReturns(): void {
    const start = this.at;
    while (this.at < this.limit && kindAt(this.text, this.at) === kinds.CARRIAGE_RETURN) this.at++;
    if (this.at < this.limit && kindAt(this.text, this.at) !== kinds.LINE_FEED)
      this.recordError('a carriage return stands alone here: end lines with LF or CR LF', start);
  }

  private skipComment(): void {
    while (this.at < this.limit) {
      const kind = kindAt(this.text, this.at);
      if (kind === kinds.LINE_FEED || kind === kinds.CARRIAGE_RETURN) return;
      this.at++;
    }
  }

  /** Only BIND reads nested parentheses, so a second one means that the first is not closed. */
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

  /** Returns the closing quote or the line end, so that a missing quote affects only one line. */
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

  /** Ends the entry directly after the parenthesis, so that later entries are not lost. */
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

/** Longest RDATA in `\DDD` escapes, with a name. Longer tokens are dropped. */
const MAX_TOKEN_OCTETS = 4 * 0xffff + 8192;

const CONTROL_MESSAGE = 'a control character stands here: leave it out, or write \\DDD for it in a text';

/** Decodes UTF-8, so that the error for a name can suggest A-labels. Other octets above 127 become `\DDD`. */
function textOfRawOctets(token: string): { readonly text: string; readonly hasOctetEscapes: boolean } {
  const plain = token.replace(/\\([\x80-\xff])|(\\[^])/g, '$1$2');
  const octets = Buffer.from(plain, 'latin1');
  if (isUtf8(octets)) return { text: octets.toString(), hasOctetEscapes: false };
  const text = plain.replace(/[\x80-\xff]/g, (octet) => `\\${octet.charCodeAt(0)}`);
  return { text, hasOctetEscapes: true };
}

/** Replaces escapes of `textOfRawOctets`, which are not in the file. A quotation may end inside an escape. */
export function withoutOctetEscapes(message: string): string {
  return message.replace(/\\(?:1(?:2[89]|[3-9][0-9])|2[0-9]{2})/g, '\ufffd').replace(/\\[12]?[0-9]?…/g, '…');
}

/** Offsets count from the start of the line. @throws EntryError for a malformed line */
export function lineTokens(line: string): readonly EntryToken[] {
  const octets = Buffer.from(line).toString('latin1');
  const scanner = new EntryScanner(octets.length);
  scanner.scan(octets, 0, true);
  if (scanner.error) throw scanner.error;
  return scanner.tokens;
}
