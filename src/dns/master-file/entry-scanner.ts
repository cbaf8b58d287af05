import type { Token } from '../rdata/index.js';
import { EntryFault } from './entry-fault.js';
import * as kinds from './octet-kinds.js';
import { kindAt } from './octet-kinds.js';
import { textOfRawOctets } from './raw-octets.js';

/** One item of an entry: its raw text, escapes still in it, and where it begins. */
export interface Word extends Token {
  readonly at: number;
}

/**
 * What has to be passed over before the next entry: nothing, the rest of a line, that and the lines that go on with the
 * same entry, or only those.
 */
export type Detour = 'none' | 'line' | 'entry' | 'continuation';

/**
 * Divides a master file into entries: logical lines, their parentheses and comments gone (RFC 1035 §5.1). It works on text
 * that has one character for each octet, and holds what it found last.
 */
export class EntryScanner {
  words: Word[] = [];
  /** The entry begins with a blank: it has no owner of its own. */
  isIndented = false;
  /** The first thing wrong with the form of the entry. */
  fault: EntryFault | undefined;
  /** Where to go on, how many lines further, and what has to be passed over there. */
  end = 0;
  lines = 0;
  detour: Detour = 'none';

  private text = '';
  private at = 0;
  /** No octet from here on is looked at. */
  private limit = 0;
  private openedAt = NOWHERE;
  private linesWhenOpened = 0;
  private hasHighOctets = false;
  private room = 0;

  constructor(private readonly maxOctets: number) {}

  /** Reads the entry that begins there; false when it goes on behind the text that there is so far. */
  scan(text: string, start: number, isLast: boolean): boolean {
    this.text = text;
    this.at = start;
    this.limit = Math.min(text.length, start + this.maxOctets);
    if (this.words.length > 0) this.words = [];
    this.fault = undefined;
    this.lines = 0;
    this.detour = 'none';
    this.openedAt = NOWHERE;
    this.room = MAX_ITEMS_OCTETS;
    this.isIndented = kindAt(text, start) === kinds.BLANK;
    while (this.at < this.limit) {
      if (this.step(kindAt(text, this.at))) return true;
    }
    return this.meetLimit(start, isLast);
  }

  /** Takes what begins here; true when the entry ends with it. */
  private step(kind: number): boolean {
    switch (kind) {
      case kinds.BLANK:
        this.at++;
        return false;
      case kinds.LINE_FEED:
        return this.lineFeed();
      case kinds.CARRIAGE_RETURN:
        this.carriageReturns();
        return false;
      case kinds.SEMICOLON:
        this.comment();
        return false;
      case kinds.QUOTE:
        this.quotedWord();
        return false;
      case kinds.OPEN:
        return this.open();
      case kinds.CLOSE:
        this.close();
        return false;
      case kinds.CONTROL:
        this.note(CONTROL_MESSAGE, this.at++);
        return false;
      default:
        this.word();
        return false;
    }
  }

  private lineFeed(): boolean {
    this.at++;
    this.lines++;
    this.end = this.at;
    return this.openedAt === NOWHERE;
  }

  /** They belong to the line end that follows. Programs disagree about any other, so that what it parts must not be guessed. */
  private carriageReturns(): void {
    const start = this.at;
    while (this.at < this.limit && kindAt(this.text, this.at) === kinds.CARRIAGE_RETURN) this.at++;
    if (this.at < this.limit && kindAt(this.text, this.at) !== kinds.LINE_FEED) {
      this.note('a carriage return stands alone here: end lines with LF or CR LF', start);
    }
  }

  private comment(): void {
    while (this.at < this.limit) {
      const kind = kindAt(this.text, this.at);
      if (kind === kinds.LINE_FEED || kind === kinds.CARRIAGE_RETURN) return;
      this.at++;
    }
  }

  /** What a second parenthesis says is that the first was forgotten: no name server but BIND reads one inside another. */
  private open(): boolean {
    if (this.openedAt !== NOWHERE) return this.abandon('is not closed before the next one is opened');
    this.openedAt = this.at++;
    this.linesWhenOpened = this.lines;
    return false;
  }

  private close(): void {
    if (this.openedAt === NOWHERE)
      this.note('this parenthesis closes none: leave it out, or escape it where it is meant', this.at);
    this.openedAt = NOWHERE;
    this.at++;
  }

  private quotedWord(): void {
    const start = this.at;
    const end = this.closingQuote(start);
    this.add(start + 1, end, true);
    this.at = kindAt(this.text, end) === kinds.QUOTE ? end + 1 : end;
  }

  private word(): void {
    const start = this.at;
    let at = start;
    while (at < this.limit) {
      const kind = kindAt(this.text, at);
      if (kind === kinds.WORD) at++;
      else if (kind === kinds.HIGH || kind === kinds.BACKSLASH) at = this.afterOctet(kind, at);
      else if (kind === kinds.QUOTE) at = this.afterInnerQuotes(start, at);
      else break;
    }
    this.add(start, at, false);
    this.at = at;
  }

  /** RFC 9460 §2.1: `key="value"` is one item. */
  private afterInnerQuotes(start: number, quote: number): number {
    if (quote === start || this.text[quote - 1] !== '=') {
      this.note('a quote begins inside an item: write a blank before it, or \\" where it belongs to the item', quote);
    }
    const end = this.closingQuote(quote);
    return kindAt(this.text, end) === kinds.QUOTE ? end + 1 : end;
  }

  /** Where the quote ends that was opened there; a line end ends it as well, so that a forgotten one spoils a single line. */
  private closingQuote(opened: number): number {
    let at = opened + 1;
    while (at < this.limit) {
      const kind = kindAt(this.text, at);
      if (kind === kinds.QUOTE) return at;
      if (kind === kinds.LINE_FEED || kind === kinds.CARRIAGE_RETURN) break;
      at = this.afterOctet(kind, at);
    }
    this.note(
      'the quote that opens here is not closed in its line: close it, and write \\010 for a line end inside',
      opened,
    );
    return at;
  }

  private afterOctet(kind: number, at: number): number {
    if (kind === kinds.HIGH) this.hasHighOctets = true;
    if (kind === kinds.CONTROL) this.note(CONTROL_MESSAGE, at);
    return kind === kinds.BACKSLASH ? this.afterEscape(at) : at + 1;
  }

  private afterEscape(backslash: number): number {
    const kind = backslash + 1 < this.limit ? kindAt(this.text, backslash + 1) : kinds.LINE_FEED;
    if (kind === kinds.LINE_FEED || kind === kinds.CARRIAGE_RETURN || kind === kinds.CONTROL) {
      this.note('the backslash escapes nothing: write \\\\ for itself', backslash);
      return backslash + 1;
    }
    if (kind === kinds.HIGH) this.hasHighOctets = true;
    return backslash + 2;
  }

  private add(start: number, end: number, quoted: boolean): void {
    const at = quoted ? start - 1 : start;
    this.room -= end - start + 1;
    if (this.room < 0) {
      this.note('here the entry has more data than fits into one record: shorten it', at);
    } else {
      const raw = this.text.slice(start, end);
      this.words.push({ text: this.hasHighOctets ? textOfRawOctets(raw) : raw, quoted, at });
    }
    this.hasHighOctets = false;
  }

  private meetLimit(start: number, isLast: boolean): boolean {
    if (this.limit < this.text.length) return this.refuseLength(start);
    if (!isLast) return false;
    if (this.openedAt !== NOWHERE) return this.abandon('is not closed up to the end of the file');
    this.end = this.limit;
    return true;
  }

  private refuseLength(start: number): true {
    if (this.openedAt !== NOWHERE) return this.abandon(`is not closed within ${this.maxOctets} octets`);
    this.fault = new EntryFault(`this entry is longer than ${this.maxOctets} octets: end its line earlier`, start);
    this.end = this.limit;
    this.detour = 'line';
    return true;
  }

  /** Goes back to the line of the parenthesis, so that no entry behind it is lost. */
  private abandon(what: string): true {
    this.fault = new EntryFault(
      `the parenthesis that opens here ${what}: close it where its record ends`,
      this.openedAt,
    );
    this.end = this.openedAt + 1;
    this.lines = this.linesWhenOpened;
    this.detour = 'entry';
    return true;
  }

  private note(message: string, at: number): void {
    this.fault ??= new EntryFault(message, at);
  }
}

const NOWHERE = -1;

/** The longest RDATA with every octet as `\DDD`, a name and a little more; what goes beyond need not be kept. */
const MAX_ITEMS_OCTETS = 4 * 0xffff + 8192;

const CONTROL_MESSAGE = 'a control character stands here: leave it out, or write \\DDD for it in a text';
