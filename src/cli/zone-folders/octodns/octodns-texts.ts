import { type Place, SourceError } from '../sources/source-text.js';

/** Octets (RFC 1035 §3.3). */
const MAX_STRING = 255;

/**
 * octoDNS keeps TXT as one text with `;` as `\;`, and joins strings in quotes. Other texts are cut at 255 octets.
 * @throws SourceError
 */
export function stringsOf(value: string, place: Place): string {
  const isQuoted = value.startsWith('"');
  if (isQuoted && (value.length < 2 || !value.endsWith('"')))
    throw new SourceError(place, 'the text begins with a quote and does not end with one');
  const parts = (isQuoted ? value.slice(1, -1) : value).split('" "');
  const strings = isQuoted ? parts : [parts.join('')];
  const octets = strings.map((part) => Buffer.from(part.replaceAll('\\;', ';')));
  return octets.flatMap((part) => piecesOf(part).map(quotedOctets)).join(' ');
}

function piecesOf(octets: Buffer): Buffer[] {
  const pieces = [octets.subarray(0, MAX_STRING)];
  for (let at = MAX_STRING; at < octets.length; at += MAX_STRING) pieces.push(octets.subarray(at, at + MAX_STRING));
  return pieces;
}

function quotedOctets(octets: Buffer): string {
  return `"${octets.toString('latin1').replace(/[^ -~]|["\\]/g, escaped)}"`;
}

/** Quotes a text that may have escapes (RFC 1035 §5.1). */
export function quotedText(text: string): string {
  const latin1 = Buffer.from(text).toString('latin1');
  return `"${latin1.replace(/\\[ -~]|[^ -~]|["\\]/g, (found) => (found.length === 2 ? found : escaped(found)))}"`;
}

function escaped(octet: string): string {
  return /[ -~]/.test(octet) ? `\\${octet}` : `\\${String(octet.charCodeAt(0)).padStart(3, '0')}`;
}

/** Strings that are not cut at 255 octets stand in quotes, which octoDNS joins and an import reads again. */
export function textOfStrings(rdata: Uint8Array, what: string): string {
  const strings: Buffer[] = [];
  for (let at = 0; at < rdata.length; at += 1 + (rdata[at] ?? 0))
    strings.push(Buffer.from(rdata.subarray(at + 1, at + 1 + (rdata[at] ?? 0))));
  const whole = Buffer.concat(strings);
  const texts = strings.map((string) => textOfOctets(string, what));
  const text = textOfOctets(whole, what);
  const pieces = piecesOf(whole);
  const isCut = pieces.length === strings.length && pieces.every((piece, at) => piece.equals(strings[at] ?? whole));
  const isPlain = isCut && whole.length > 0 && !text.startsWith('"') && !text.includes('" "');
  if (isPlain) return text;
  const inQuotes = texts.join('" "');
  if (inQuotes.split('" "').every((part, at) => part === texts[at])) return `"${inQuotes}"`;
  throw new Error(`${what}: octoDNS's schema cannot hold '" "' in a text`);
}

function textOfOctets(octets: Buffer, what: string): string {
  const text = octets.toString();
  if (!Buffer.from(text).equals(octets))
    throw new Error(`${what}: octoDNS's schema cannot hold octets that are no UTF-8`);
  return text.replaceAll(';', '\\;');
}
