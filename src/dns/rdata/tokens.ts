import { quoted, type DomainName } from '../name.js';
import { RdataError } from './rdata-error.js';

/** A token of record data (RFC 1035 §5.1), its escapes not yet resolved. */
export interface Token {
  readonly text: string;
  readonly quoted: boolean;
}

/** Reads the tokens of one record in order. Errors call the value by its `label`. */
export class TokenReader {
  private at = 0;

  constructor(
    private readonly tokens: readonly Token[],
    /** Completes relative names in a master file. API data has no origin: its names are absolute, its numbers plain. */
    readonly origin?: DomainName,
  ) {}

  get isAtEnd(): boolean {
    return this.at === this.tokens.length;
  }

  /** Returns the next token without reading it; undefined at the end. */
  peek(): Token | undefined {
    return this.tokens[this.at];
  }

  skip(): void {
    this.at++;
  }

  /** @throws RdataError at the end */
  next(label: string): Token {
    const token = this.tokens[this.at++];
    if (!token) throw new RdataError(`the ${label} is missing: add it`);
    return token;
  }

  /** Returns the text of the next token, such as a name or a number. Refuses quotes. @throws RdataError */
  unquoted(label: string): string {
    const token = this.next(label);
    if (token.quoted) throw new RdataError(`the ${label} ${quoted(token.text)} stands in quotes: leave them out`);
    return token.text;
  }

  /** Returns the texts of all remaining tokens, at least one. @throws RdataError */
  allUnquoted(label: string): string[] {
    const texts = [this.unquoted(label)];
    while (!this.isAtEnd) texts.push(this.unquoted(label));
    return texts;
  }

  /** @throws RdataError for a remaining token */
  assertAtEnd(): void {
    const extra = this.peek();
    if (extra) throw new RdataError(`${quoted(extra.text)} is one item too many: leave it out`);
  }
}

/** From 0 to `max`. Leading zeros only in master files. @throws RdataError */
export function parseDecimal(tokens: TokenReader, label: string, max: number): number {
  const text = tokens.unquoted(label);
  const form = tokens.origin ? /^[0-9]{1,10}$/ : /^(0|[1-9][0-9]{0,9})$/;
  const value = form.test(text) ? Number(text) : Infinity;
  if (value > max)
    throw new RdataError(`the ${label} ${quoted(text)} is not a plain number: write one from 0 to ${max}`);
  return value;
}

/** Splits API data at single blanks. Tokens with blanks, semicolons or parentheses need quotes. @throws RdataError */
export function tokenize(data: string): Token[] {
  assertPrintable(data);
  const tokens: Token[] = [];
  for (let at = 0; at <= data.length;) {
    const end = tokenEnd(data, at);
    if (end === at) {
      throw new RdataError(
        at === 0 && data === ''
          ? 'the data is empty: send the items of the record'
          : 'write single blanks between the items and none around them',
      );
    }
    tokens.push(toToken(data.slice(at, end)));
    at = end + 1;
  }
  return tokens;
}

/** Quoted strings if it begins with a quote, else one text with its blanks (behaviour 5.3). @throws RdataError */
export function tokenizeFreeText(data: string): Token[] {
  assertPrintable(data);
  if (data === '') throw new RdataError('the text is empty: write "" where an empty one is meant');
  if (data.startsWith(' ') || data.endsWith(' '))
    throw new RdataError('the text has blanks around it: leave them out, or put it in quotes');
  const letter = /\\[A-Za-z]/.exec(data.replaceAll('\\\\', '  '))?.[0];
  if (letter) throw new RdataError(`${letter} is not an escape: write \\\\ for a backslash`);
  return data.startsWith('"') ? splitStrings(data) : [{ text: data, quoted: true }];
}

function splitStrings(data: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < data.length;) {
    if (data[at] !== '"')
      throw new RdataError(`${quoted(data.slice(at))} stands outside the quotes: put all of the text in quotes`);
    const end = quoteEnd(data, at);
    tokens.push(toToken(data.slice(at, end)));
    at = end;
    while (data[at] === ' ') at++;
  }
  return tokens;
}

function assertPrintable(data: string): void {
  const unprintable = /[\p{Cc}\p{Cs}]/u.exec(data)?.[0];
  if (unprintable === undefined) return;
  throw new RdataError(
    `the data has ${quoted(unprintable)} in it, which is not a printable character: leave it out, or write it as \\DDD in a text`,
  );
}

function tokenEnd(data: string, start: number): number {
  if (data[start] === '"') return quoteEnd(data, start);
  for (let at = start; ; at++) {
    const character = data[at];
    if (character === undefined || character === ' ') return at;
    if (character === '\\') at++;
    else if (character === '"' && data[at - 1] === '=' && at > start) return quoteEnd(data, at);
    else if ('"();'.includes(character)) {
      throw new RdataError(
        `an unescaped ${character} stands outside quotes in ${quoted(data)}: put the item in quotes, or a backslash before the character`,
      );
    }
  }
}

function quoteEnd(data: string, quote: number): number {
  for (let at = quote + 1; at < data.length; at++) {
    if (data[at] === '\\') at++;
    else if (data[at] === '"') return assertBlankAfter(data, at + 1);
  }
  throw new RdataError(`${quoted(data.slice(quote))} lacks its closing quote: add it`);
}

function assertBlankAfter(data: string, end: number): number {
  if (end === data.length || data[end] === ' ') return end;
  throw new RdataError(`${quoted(data.slice(end))} touches a closing quote: write a blank between them`);
}

function toToken(text: string): Token {
  return text.startsWith('"') ? { text: text.slice(1, -1), quoted: true } : { text, quoted: false };
}
