import { DomainName, quoted } from '../name.js';
import { RdataError } from './rdata-error.js';

/** One item of record data: the raw text between blanks or quotes, its escapes still in it. */
export interface Token {
  readonly text: string;
  readonly quoted: boolean;
}

/** The items of one record, taken one after the other. */
export class Items {
  private at = 0;

  constructor(
    private readonly tokens: readonly Token[],
    /** Master files have one, to complete relative names with; API data has none, and is read strictly. */
    readonly origin?: DomainName,
  ) {}

  get isEmpty(): boolean {
    return this.at === this.tokens.length;
  }

  peek(): Token | undefined {
    return this.tokens[this.at];
  }

  skip(): void {
    this.at++;
  }

  next(label: string): Token {
    const token = this.tokens[this.at++];
    if (!token) throw new RdataError(`the ${label} is missing`);
    return token;
  }

  /** An item that may not stand in quotes, like a name or a number. */
  word(label: string): string {
    const token = this.next(label);
    if (token.quoted) throw new RdataError(`the ${label} ${quoted(token.text)} stands in quotes: leave them out`);
    return token.text;
  }

  /** All words that are left, at least one. */
  words(label: string): string[] {
    const words = [this.word(label)];
    while (!this.isEmpty) words.push(this.word(label));
    return words;
  }

  end(): void {
    const extra = this.peek();
    if (extra) throw new RdataError(`${quoted(extra.text)} is one item too many: leave it out`);
  }
}

/** API data: items with single blanks between them, in quotes where they hold blanks, semicolons or parentheses. */
export function splitItems(data: string): Token[] {
  assertPrintable(data);
  const tokens: Token[] = [];
  for (let at = 0; at <= data.length;) {
    const end = itemEnd(data, at);
    if (end === at) {
      throw new RdataError(
        at === 0 && data === '' ? 'the data is empty' : 'write single blanks between the items and none around them',
      );
    }
    tokens.push(toToken(data.slice(at, end)));
    at = end + 1;
  }
  return tokens;
}

/** Free text, spec/behaviour.md 5.3: quoted strings when it begins with a quote, else one text, blanks and semicolons included. */
export function splitFreeText(data: string): Token[] {
  assertPrintable(data);
  if (data === '') throw new RdataError('the text is empty: write "" where an empty one is meant');
  if (data.startsWith(' ') || data.endsWith(' ')) {
    throw new RdataError('the text has blanks around it: leave them out, or put it in quotes');
  }
  const letter = /\\[A-Za-z]/.exec(data.replaceAll('\\\\', '  '))?.[0];
  if (letter) throw new RdataError(`${letter} is no escape: write \\\\ for a backslash`);
  return data.startsWith('"') ? splitStrings(data) : [{ text: data, quoted: true }];
}

function splitStrings(data: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < data.length;) {
    if (data[at] !== '"') throw new RdataError(`${quoted(data.slice(at))} stands outside the quotes`);
    const end = quoteEnd(data, at);
    tokens.push(toToken(data.slice(at, end)));
    at = end;
    while (data[at] === ' ') at++;
  }
  return tokens;
}

function assertPrintable(data: string): void {
  const stranger = /[\p{Cc}\p{Cs}]/u.exec(data)?.[0];
  if (stranger === undefined) return;
  throw new RdataError(
    `the data has ${quoted(stranger)} in it, which is no printable character: leave it out, or write it as \\DDD in a text`,
  );
}

function itemEnd(data: string, start: number): number {
  if (data[start] === '"') return quoteEnd(data, start);
  for (let at = start; ; at++) {
    const character = data[at];
    if (character === undefined || character === ' ') return at;
    if (character === '\\') at++;
    else if (character === '"' && data[at - 1] === '=' && at > start) return quoteEnd(data, at);
    else if ('"();'.includes(character)) {
      throw new RdataError(`an unescaped ${character} stands outside quotes in ${quoted(data)}`);
    }
  }
}

/** Where the string ends that begins with the quote at that place. */
function quoteEnd(data: string, quote: number): number {
  for (let at = quote + 1; at < data.length; at++) {
    if (data[at] === '\\') at++;
    else if (data[at] === '"') return endOfItem(data, at + 1);
  }
  throw new RdataError(`${quoted(data.slice(quote))} lacks its closing quote`);
}

function endOfItem(data: string, end: number): number {
  if (end === data.length || data[end] === ' ') return end;
  throw new RdataError(`write a blank after the closing quote, before ${quoted(data.slice(end))}`);
}

function toToken(item: string): Token {
  return item.startsWith('"') ? { text: item.slice(1, -1), quoted: true } : { text: item, quoted: false };
}
