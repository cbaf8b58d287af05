import { DomainName, NameError, quoted, displayName } from '../name.js';
import { RdataError, type RecordType, type RecordTypes, SOA } from '../rdata/index.js';
import { EntryError, withErrorAt } from './entry-error.js';
import type { EntryToken } from './entry-scanner.js';
import { periodInSeconds } from '../rdata/fields.js';
import { typeCode } from '../rdata/type-names.js';
import { typeRefusal } from '../rdata/record-types.js';

export function readName(token: EntryToken, origin: DomainName): DomainName {
  if (token.quoted) throw new EntryError(`the name ${quoted(token.text)} stands in quotes: leave them out`, token.at);
  return withErrorAt(token, NameError, () => DomainName.parse(token.text, origin));
}

export function outsideError(owner: DomainName, zone: DomainName, { at }: EntryToken): EntryError {
  return new EntryError(
    `${quoted(displayName(owner))} lies outside the zone ${zone.toString()}: leave the record out, or correct its name`,
    at,
  );
}

export function readData(
  type: RecordType,
  data: readonly EntryToken[],
  errorAt: EntryToken,
  origin: DomainName,
): Uint8Array {
  return withErrorAt(errorAt, RdataError, () => type.parseTokens(data, origin), `${type.name}: `);
}

/** RFC 1035 §5.1: the part between owner name and data. */
export interface RecordHeader {
  /** Seconds. */
  readonly ttl: number | undefined;
  readonly type: EntryToken;
  readonly dataFrom: number;
}

/** TTL and class are optional and in either order. Only a TTL begins with a digit. @throws EntryError */
export function readHeader(tokens: readonly EntryToken[], from: number): RecordHeader {
  let ttl: number | undefined;
  let hasClass = false;
  for (let at = from; ; at++) {
    const token = tokens[at];
    if (!token) throw new EntryError('the record ends before its type: write TYPE and data', tokens[at - 1]?.at ?? 0);
    if (token.quoted) throw new EntryError('a type is expected here, not a text in quotes: leave them out', token.at);
    if (ttl === undefined && beginsWithDigit(token.text)) {
      ttl = parseTtl(token);
    } else if (!hasClass && CLASSES.test(token.text)) {
      assertInternet(token);
      hasClass = true;
    } else {
      return { ttl, type: token, dataFrom: at + 1 };
    }
  }
}

function beginsWithDigit(text: string): boolean {
  const first = text.charCodeAt(0);
  return first >= 0x30 && first <= 0x39;
}

function assertInternet({ text, at }: EntryToken): void {
  if (/^(IN|CLASS1)$/i.test(text)) return;
  throw new EntryError(`class ${text.toUpperCase()} is not served: leave the record out, or write IN`, at);
}

/** RFC 1035 §3.2.4, RFC 3597 §5. */
const CLASSES = /^(IN|CH|CHAOS|HS|HESIOD|CS|NONE|ANY|CLASS[0-9]{1,5})$/i;

/** RFC 2181 §8. */
export const MAX_TTL = 0x7fffffff;

/** Seconds, or units like 1h30m. @throws EntryError */
export function parseTtl({ text, at }: EntryToken): number {
  const seconds = /^[0-9]{1,10}$/.test(text) ? Number(text) : periodInSeconds(text);
  if (seconds !== undefined && seconds <= MAX_TTL) return seconds;
  throw new EntryError(`${quoted(text)} is not a TTL: write seconds from 0 to ${MAX_TTL}, or a time like 1h30m`, at);
}

/** Types that signing generates (RFC 4034, RFC 5155, RFC 8976). */
const MADE_BY_SIGNING: ReadonlyMap<number, string> = new Map([
  [46, 'RRSIG'],
  [47, 'NSEC'],
  [48, 'DNSKEY'],
  [50, 'NSEC3'],
  [51, 'NSEC3PARAM'],
  [63, 'ZONEMD'],
]);

/** A name in any case, or TYPE and its number (RFC 3597 §5). */
export function findType(types: RecordTypes, name: string): RecordType | undefined {
  return types.byName(name) ?? findUpperCase(types, name.toUpperCase());
}

function findUpperCase(types: RecordTypes, name: string): RecordType | undefined {
  const code = typeCode(name);
  const type = types.byName(name) ?? (code === undefined ? undefined : types.byCode(code));
  return type ?? (code === SOA.code ? SOA : undefined);
}

/** Undefined for types that signing does not generate. */
export function signatureType({ text }: EntryToken): string | undefined {
  const name = text.toUpperCase();
  const code = typeCode(name);
  return code === undefined ? undefined : MADE_BY_SIGNING.get(code);
}

export function unknownTypeError(types: RecordTypes, { text, at }: EntryToken): EntryError {
  if (text.startsWith('$'))
    return new EntryError(`${quoted(text)} is a directive only without a blank before it: take the blank out`, at);
  return new EntryError(typeRefusal(types, text), at);
}
