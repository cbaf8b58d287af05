import { DomainName, NameError, quoted, displayName } from '../name.js';
import { RdataError, type RecordType } from '../rdata/index.js';
import { EntryError, withErrorAt } from './entry-error.js';
import type { EntryToken } from './entry-scanner.js';

/** @throws EntryError */
export function readName(token: EntryToken, origin: DomainName): DomainName {
  if (token.quoted) throw new EntryError(`the name ${quoted(token.text)} stands in quotes: leave them out`, token.at);
  return withErrorAt(token, NameError, () => DomainName.parse(token.text, origin));
}

/** The error for an owner name that is not the zone's name or below it. */
export function outsideError(owner: DomainName, zone: DomainName, { at }: EntryToken): EntryError {
  return new EntryError(
    `${quoted(displayName(owner))} lies outside the zone ${zone.toString()}: leave the record out, or correct its name`,
    at,
  );
}

/** @throws EntryError at the place of `errorAt` */
export function readData(
  type: RecordType,
  data: readonly EntryToken[],
  errorAt: EntryToken,
  origin: DomainName,
): Uint8Array {
  return withErrorAt(errorAt, RdataError, () => type.parseTokens(data, origin), `${type.name}: `);
}
