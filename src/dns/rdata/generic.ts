import { genericRdata } from './generic-rdata.js';
import { assertOpaque, isOpaque } from './opaque-types.js';
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
    check: ({ data }) => assertOpaque(code, data),
    example: { name: 'example.org.', data: '\\# 4 c0000201' },
  });
}
