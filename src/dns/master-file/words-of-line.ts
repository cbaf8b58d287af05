import { EntryScanner, type Word } from './entry-scanner.js';

/** The items of a text that is one line; their places mean nothing. */
export function wordsOfLine(line: string): readonly Word[] {
  const octets = Buffer.from(line).toString('latin1');
  const scanner = new EntryScanner(octets.length);
  scanner.scan(octets, 0, true);
  if (scanner.fault) throw scanner.fault;
  return scanner.words;
}
