import { quoted } from '../name.js';
import type { RecordTypes } from './record-types.js';
import { isDataType, registeredName, typeCode } from './type-names.js';

/** Types that IANA lists and that no zone should have, by code, and what to do about them. */
const REASONS: ReadonlyMap<number, string> = new Map([
  [3, 'is obsolete, and BIND loads no zone with it: use MX'],
  [4, 'is obsolete, and BIND loads no zone with it: use MX'],
  [6, 'is made by the service: set its fields on the zone'],
  [24, 'is of the DNSSEC of RFC 2535, which is obsolete: leave it out'],
  [30, 'is of the DNSSEC of RFC 2535, which is obsolete: leave it out'],
  ...[46, 47, 48, 50, 51].map((code) => [code, 'is made by signing the zone: leave it out'] as const),
  [63, 'is a digest of the whole zone, which the next change makes wrong: leave it out'],
]);

/** Longer names are cut: a name may be as long as the body. */
const MAX_QUOTED = 64;

/**
 * Says why records of a type are not taken, and what to do. "Is not a record type" is said only of a name that IANA does not
 * list.
 */
export function typeRefusal(types: RecordTypes, name: string): string {
  const code = typeCode(name.toUpperCase());
  if (code === undefined)
    return `${quoted(name.slice(0, MAX_QUOTED))} is not a record type: write one like A, or TYPE and its number`;
  const shown = registeredName(code);
  const reason = REASONS.get(code);
  if (reason !== undefined) return `${shown} ${reason}`;
  if (!isDataType(code)) return `${shown} stands in messages and never in a zone: leave it out`;
  const type = types.byCode(code);
  if (type === undefined)
    return `${shown} records are not taken here: leave them out (taken are ${types.names.join(', ')})`;
  if (type.name === `TYPE${code}`)
    return `${shown} has no text form here: write ${type.name}, with data like \\# 4 c0000201`;
  return `write ${type.name} for ${quoted(name.slice(0, MAX_QUOTED))}`;
}
