import { quoted } from '../name.js';
import { type RecordType, type RecordTypes, SOA } from '../rdata/index.js';
import { typeCode } from '../rdata/type-names.js';
import { EntryFault } from './entry-fault.js';
import type { Word } from './entry-scanner.js';

/** What the signer of a zone makes anew (RFC 4034, RFC 5155), and what nobody can import for it. */
const MADE_BY_THE_SIGNER: ReadonlySet<string> = new Set(['RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'DNSKEY']);

/** The type that a word names, in any case or as TYPE and its number (RFC 3597 §5). */
export function findType(types: RecordTypes, name: string): RecordType | undefined {
  return types.byName(name) ?? findUpperCase(types, name.toUpperCase());
}

function findUpperCase(types: RecordTypes, name: string): RecordType | undefined {
  const code = typeCode(name);
  const type = types.byName(name) ?? (code === undefined ? undefined : types.byCode(code));
  return type ?? (code === SOA.code ? SOA : undefined);
}

export function isMadeByTheSigner({ text }: Word): boolean {
  return MADE_BY_THE_SIGNER.has(text.toUpperCase());
}

/** Why there is no such type. */
export function strangeType(types: RecordTypes, { text, at }: Word): EntryFault {
  const name = text.toUpperCase();
  if (name.startsWith('$'))
    return new EntryFault(`${quoted(text)} is a directive only where no blank stands before it`, at);
  if (typeCode(name) === undefined)
    return new EntryFault(`${quoted(text)} is no record type: write one like A, or TYPE and its number`, at);
  return new EntryFault(`${name} records are not taken here: leave them out (taken are ${types.names.join(', ')})`, at);
}
