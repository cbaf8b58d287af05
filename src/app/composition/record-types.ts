import { ALIAS, RecordTypes, SIGNING_TYPES, STANDARD_TYPES } from '../../dns/rdata/index.js';
import type { RecordType } from '../../dns/rdata/record-type.js';
import { isDataType } from '../../dns/rdata/type-names.js';
import type { RecordTypeSets, ZonewrightPlugin } from '../../plugins/plugin.js';
import { RECORD_TYPE_OPTIONS } from '../../records/records.options.js';
import { Claims, refusal as refusalOf, describeUnknown, type Configuration, type Loaded } from './plugin-checks.js';

/** In `supported_record_types` (RFC 3597). */
const NUMBERED = 'TYPEn';

/** @throws ConfigError for an invalid or duplicate type, and for an unknown one in `supported_record_types` */
export function joinRecordTypes(
  loaded: readonly Loaded<readonly RecordType[]>[],
  configuration: Configuration,
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
  const types = [...loaded.flatMap(({ part }) => part), ALIAS];
  const offered = configuration.config.alias.enabled ? types : types.filter((type) => type !== ALIAS);
  return { supported: supportedRecordTypes(offered, configuration), known: knownRecordTypes(types) };
}

/** `TYPE` and a number are reserved (RFC 3597 §5). */
const MNEMONIC = /^(?!TYPE\d+$)[A-Z][A-Z0-9-]{0,15}$/;

function assertRecordType(plugin: ZonewrightPlugin, { name, code }: RecordType): void {
  if (!MNEMONIC.test(name))
    throw refusalOf(plugin, `the record type ${JSON.stringify(name)}: a name has capital letters, digits and hyphens`);
  if (!Number.isInteger(code) || code > 0xffff || !isDataType(code))
    throw refusalOf(
      plugin,
      `the record type ${name}: ${code} is not the code of a type that zones can hold (RFC 6895 §3.1)`,
    );
}

/** Stored records of unsupported types are served. */
export function knownRecordTypes(types: readonly RecordType[] = [...STANDARD_TYPES, ALIAS]): RecordTypes {
  const known = new RecordTypes(types, { generic: true });
  // Secondary zones of signed primaries have these.
  for (const type of SIGNING_TYPES) known.keep(type);
  return known;
}

/** All if empty. @throws ConfigError for an unknown name */
function supportedRecordTypes(types: readonly RecordType[], { config, refusal }: Configuration): RecordTypes {
  const names = config.defaults.recordTypes;
  if (names.length === 0) return new RecordTypes(types, { generic: true });
  const chosen = names
    .filter((name) => name !== NUMBERED)
    .map((name) => {
      const type = types.find((known) => known.name === name);
      if (type !== undefined) return type;
      throw refusal(
        RECORD_TYPE_OPTIONS.recordTypes,
        describeUnknown('type', name, [...types.map((known) => known.name), NUMBERED]),
      );
    });
  return new RecordTypes(chosen, { generic: names.includes(NUMBERED) });
}
