import { quoted } from '../name.js';
import { type RecordType, type RecordTypes, SOA } from '../rdata/index.js';
import { typeCode } from '../rdata/type-names.js';
import { typeRefusal } from '../rdata/type-refusal.js';
import { EntryError } from './entry-error.js';
import type { EntryToken } from './entry-scanner.js';

/** The types that signing a zone makes (RFC 4034, RFC 5155, RFC 8976), by their codes. */
const MADE_BY_SIGNING: ReadonlyMap<number, string> = new Map([
  [46, 'RRSIG'],
  [47, 'NSEC'],
  [48, 'DNSKEY'],
  [50, 'NSEC3'],
  [51, 'NSEC3PARAM'],
  [63, 'ZONEMD'],
]);

/** Finds a type by its name in any case, or by TYPE and its number (RFC 3597 §5). */
export function findType(types: RecordTypes, name: string): RecordType | undefined {
  return types.byName(name) ?? findUpperCase(types, name.toUpperCase());
}

function findUpperCase(types: RecordTypes, name: string): RecordType | undefined {
  const code = typeCode(name);
  const type = types.byName(name) ?? (code === undefined ? undefined : types.byCode(code));
  return type ?? (code === SOA.code ? SOA : undefined);
}

/** The name of a type that signing a zone makes; undefined for any other type. */
export function signatureType({ text }: EntryToken): string | undefined {
  const name = text.toUpperCase();
  const code = typeCode(name);
  return code === undefined ? undefined : MADE_BY_SIGNING.get(code);
}

/** The error for a token that stands in the place of a type and names none that is accepted. */
export function unknownTypeError(types: RecordTypes, { text, at }: EntryToken): EntryError {
  if (text.startsWith('$'))
    return new EntryError(`${quoted(text)} is a directive only without a blank before it: take the blank out`, at);
  return new EntryError(typeRefusal(types, text), at);
}
