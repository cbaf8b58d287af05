import { ConfigError } from '../config/load-config.js';
import { RecordTypes, STANDARD_TYPES } from '../dns/rdata/index.js';
import type { RecordType } from '../dns/rdata/record-type.js';

/** In `supported_record_types`: all types that have only a number (RFC 3597). */
const NUMBERED = 'TYPEn';

/** Every type that the code can read and write, whether or not it is taken: what is stored is served. */
export function knownRecordTypes(types: readonly RecordType[] = STANDARD_TYPES): RecordTypes {
  return new RecordTypes(types, { generic: true });
}

/**
 * The types that the configuration takes; none named: all.
 * @throws ConfigError for a name that no type has
 */
export function supportedRecordTypes(names: readonly string[], types: readonly RecordType[]): RecordTypes {
  if (names.length === 0) return knownRecordTypes(types);
  const chosen = names.filter((name) => name !== NUMBERED).map((name) => typeNamed(name, types));
  return new RecordTypes(chosen, { generic: names.includes(NUMBERED) });
}

function typeNamed(name: string, types: readonly RecordType[]): RecordType {
  const type = types.find((known) => known.name === name);
  if (type !== undefined) return type;
  const known = types.map((type) => type.name).join(', ');
  throw new ConfigError(`[DEFAULT] supported_record_types = ${name}: no such type; known: ${known}, ${NUMBERED}`);
}
