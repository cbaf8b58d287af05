import { ConfigError } from '../config/load-config.js';
import { RecordTypes, STANDARD_TYPES } from '../dns/rdata/index.js';
import type { RecordType } from '../dns/rdata/record-type.js';
import { isDataType } from '../dns/rdata/type-names.js';
import type { RecordTypeSets, ZonewrightPlugin } from '../plugins/plugin.js';
import { Claims, refusal } from './claims.js';
import type { Loaded } from './composition.js';

/** In `supported_record_types`: all types that have only a number (RFC 3597). */
const NUMBERED = 'TYPEn';

/**
 * The types that plugins bring, ours among them.
 * @param names those that the configuration takes; none named: all
 * @throws ConfigError for a name or a code that two plugins have or that no type can have, and for a name that no type has
 */
export function joinRecordTypes(
  loaded: readonly Loaded<readonly RecordType[]>[],
  names: readonly string[],
): RecordTypeSets {
  const claimedNames = new Claims('record type');
  const claimedCodes = new Claims('record type code');
  for (const { plugin, part } of loaded) {
    for (const type of part) {
      assertRecordType(plugin, type);
      claimedNames.claim(plugin, type.name);
      claimedCodes.claim(plugin, String(type.code));
    }
  }
  const types = loaded.flatMap(({ part }) => part);
  return { supported: supportedRecordTypes(names, types), known: knownRecordTypes(types) };
}

/** As the configuration and a zone file can write it. TYPE and a number name a type without a mnemonic (RFC 3597 §5). */
const MNEMONIC = /^(?!TYPE\d+$)[A-Z][A-Z0-9-]{0,15}$/;

function assertRecordType(plugin: ZonewrightPlugin, { name, code }: RecordType): void {
  if (!MNEMONIC.test(name))
    throw refusal(plugin, `the record type ${JSON.stringify(name)}: a name has capital letters, digits and hyphens`);
  if (!Number.isInteger(code) || code > 0xffff || !isDataType(code))
    throw refusal(plugin, `the record type ${name}: ${code} is no code of a type that stands in zones (RFC 6895 §3.1)`);
}

/** Every type that the code can read and write, whether or not it is taken: what is stored is served. */
export function knownRecordTypes(types: readonly RecordType[] = STANDARD_TYPES): RecordTypes {
  return new RecordTypes(types, { generic: true });
}

/**
 * The types that the configuration takes; none named: all.
 * @throws ConfigError for a name that no type has
 */
function supportedRecordTypes(names: readonly string[], types: readonly RecordType[]): RecordTypes {
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
