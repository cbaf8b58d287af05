import { type DomainName, quoted } from '../name.js';
import { EntryError } from './entry-error.js';
import type { EntryToken } from './entry-scanner.js';
import type { RepairKind } from './master-file.js';

/** A program or provider whose exports are no master files (RFC 1035 §5) in places. */
export type Dialect = 'windows' | 'godaddy' | 'cloudflare';

/** The longest comment line that is looked at. */
const MAX_COMMENT = 200;

/** The first comments of an export say who wrote it. */
const SIGNATURES: readonly (readonly [Dialect, RegExp])[] = [
  ['windows', /^;+\s*Database file \S+ for \S+ zone\.?\s*$/im],
  ['godaddy', /^;+\s*Exported \(y-m-d/im],
  ['cloudflare', /^;+\s*Exported:\s/im],
];

/** The dialect that a comment before the first entry names; `null` for any other comment. */
export function dialectOf(comment: string): Dialect | null {
  const line = comment.slice(0, MAX_COMMENT);
  return SIGNATURES.find(([, signature]) => signature.test(line))?.[0] ?? null;
}

const AGE = /^\[AGE:[0-9]+\]$/i;
const WINS_TYPES = /^WINSR?$/i;
/** RFC 3597 §5: also as octets. */
const ROOT = /^(?:\.|\\# 0*1 00)$/;
const PLACEHOLDER = /^REPL?ACE&ME\$WITH\^YOUR@NAMESERVER\.?$/;

/** Whether the token is the time stamp that Windows DNS writes in front of the TTL of a record. */
export function isRecordAge({ text, quoted: inQuotes }: EntryToken): boolean {
  return !inQuotes && AGE.test(text);
}

/** Whether the token is a type that Windows DNS alone serves. */
export function isWinsType({ text }: EntryToken): boolean {
  return WINS_TYPES.test(text);
}

/** Why the data of an NS record names no server: it is to be filled in, or the root; `undefined` for any other data. */
export function unusableServer(data: readonly EntryToken[], origin: DomainName): RepairKind | undefined {
  const text = data.map((token) => (token.quoted ? `"${token.text}"` : token.text)).join(' ');
  if (PLACEHOLDER.test(text)) return 'placeholder';
  return ROOT.test(text) || (text === '@' && origin.labelCount === 0) ? 'root_name_server' : undefined;
}

/** Whether the owner name of an SOA is the zone's without the final dot, or the root where the zone is another. */
export function isMiswrittenApex({ text }: EntryToken, owner: DomainName, zone: DomainName): boolean {
  if (owner.equals(zone)) return false;
  return owner.labelCount === 0 || `${text}.`.toLowerCase() === zone.toString().toLowerCase();
}

/** The owner name without the label `@` at its end; `null` for a name that has no such label. */
export function withoutOriginLabel({ text, quoted: inQuotes }: EntryToken): string | null {
  return !inQuotes && text.length > 2 && text.endsWith('.@') ? text.slice(0, -2) : null;
}

/** The error for `_sip._tls.@`, which would be the name of a label `@`. */
export function originLabelError({ text, at }: EntryToken, name: string): EntryError {
  return new EntryError(
    `${quoted(text)} ends with "@", which stands for the origin only by itself: write ${quoted(name)}`,
    at,
  );
}

/** A clearer error for what Windows DNS writes, or `null`. */
export function windowsError(token: EntryToken): EntryError | null {
  const { text, at } = token;
  if (isRecordAge(token)) return new EntryError(`Windows DNS writes ${text} for the age of a record: take it out`, at);
  if (isWinsType(token))
    return new EntryError(`${text.toUpperCase()} records are of Windows DNS only: leave them out`, at);
  return null;
}

/** The error for an entry that begins with `#`, as comments do elsewhere. */
export function hashCommentError({ at }: EntryToken): EntryError {
  return new EntryError('a comment begins with ";" in a zone file, and not with "#": write ";" in its place', at);
}
