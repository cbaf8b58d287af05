import { type EntryToken, EntryScanner } from './entry-scanner.js';

/**
 * Divides one line of text into tokens. Their offsets count from the start of the line.
 * @throws EntryError where the form of the line is wrong
 */
export function lineTokens(line: string): readonly EntryToken[] {
  const octets = Buffer.from(line).toString('latin1');
  const scanner = new EntryScanner(octets.length);
  scanner.scan(octets, 0, true);
  if (scanner.error) throw scanner.error;
  return scanner.tokens;
}
