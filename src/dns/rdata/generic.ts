import { genericRdata } from './generic-rdata.js';
import { recordType, type RecordType } from './record-type.js';
import { typeCode } from './type-names.js';

/** Makes the type of a name like TYPE65280, its data as `\# length hex` (RFC 3597 §5); undefined where the service has none. */
export function genericType(name: string): RecordType | undefined {
  const code = name.startsWith('TYPE') ? typeCode(name) : undefined;
  if (code === undefined || !isOpaque(code)) return undefined;
  return opaqueType(name, code);
}

/**
 * Makes a type of which nobody can say any more what its RDATA means: the records are there, and what brought the type is
 * not.
 */
export function formerType(name: string, code: number): RecordType {
  return opaqueType(name, code);
}

function opaqueType(name: string, code: number): RecordType {
  return recordType({
    name,
    code,
    rfc: 'RFC 3597 §5',
    fields: { data: genericRdata },
    example: { name: 'example.org.', data: '\\# 4 c0000201' },
  });
}

/**
 * Whether BIND 9.18, Knot 3.2, NSD 4.6 and ldns 1.8 load any octets as RDATA of the type. One malformed record of another
 * type stops its whole zone from loading; SOA and the types of DNSSEC are for the service to write; meta types (RFC 6895
 * §3.1) stand in no zone.
 */
function isOpaque(code: number): boolean {
  return OPAQUE.some(([first, last]) => code >= first && code <= last);
}

/** EID, NIMLOC, and what IANA had not assigned when this was measured. */
const OPAQUE: readonly (readonly [first: number, last: number])[] = [
  [22, 22],
  [31, 32],
  [54, 54],
  [67, 98],
  [110, 127],
  [263, 32767],
  [32770, 65534],
];
