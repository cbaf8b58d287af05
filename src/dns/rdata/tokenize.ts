import { quoted } from '../name.js';
import { RdataError } from './rdata-error.js';
import type { Token } from './token-reader.js';

/**
 * Divides API data into tokens: one blank stands between two of them, and those that hold blanks, semicolons or
 * parentheses stand in quotes.
 * @throws RdataError
 */
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

/**
 * Divides free text into tokens (behaviour 5.3): quoted strings where it begins with a quote, else one text, its blanks
 * and semicolons included.
 * @throws RdataError
 */
export function tokenizeFreeText(data: string): Token[] {
  assertPrintable(data);
  if (data === '') throw new RdataError('the text is empty: write "" where an empty one is meant');
  if (data.startsWith(' ') || data.endsWith(' ')) {
    throw new RdataError('the text has blanks around it: leave them out, or put it in quotes');
  }
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

/** The offset behind the closing quote of the string that opens at `quote`. */
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
