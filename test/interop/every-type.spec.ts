import { describe, expect } from '@jest/globals';
import { writeRecordSet } from '../../src/dns/master-file/master-file-writer.js';
import { DomainName } from '../../src/dns/name.js';
import { genericType, type RecordType, STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import { seedFrom } from '../crash/random.js';
import { ZONE_PROGRAMS } from '../support/dns-tools.js';
import { itWith } from '../support/run-program.js';
import { OPAQUE_CODES, typeSamples } from '../support/type-samples.js';

/** Without dnspython and ldns, which serve no zones: one refuses parameters of an alias, one long values of SVCB. */
const NAME_SERVERS = ZONE_PROGRAMS.filter(({ name }) => !/dnspython|ldns/.test(name));
/** Knot and NSD load values of SVCB that they print in a form that BIND does not read: reading back is another test. */
const LOADED = 'BIND cannot read what was printed';
const EXAMPLE_ORG = DomainName.parse('example.org.');
const HEAD =
  'example.org. 3600 IN SOA ns1.example.net. h.example.org. 1 7200 3600 1209600 3600\nexample.org. 3600 IN NS ns1.example.net.\n';
const OPAQUE = OPAQUE_CODES.flatMap((code) => genericType(`TYPE${code}`) ?? []);
/** How many values of each type are tried; npm run test:long -- test/interop/every-type tries more. */
const IS_LONG = process.env.ZONEWRIGHT_TESTS_LONG === 'true';
const VALUES = IS_LONG ? 500 : 40;
const SEED = seedFrom('ZONEWRIGHT_SEED', IS_LONG);

/** Names that are the target of a CNAME, DNAME or NS lie elsewhere, so that the rules of whole zones do not matter. */
function zoneOf(type: RecordType): string {
  const lines = typeSamples(type, VALUES, SEED).map((rdata, at) => {
    const owner = DomainName.parse(`x${at}.example.org.`);
    const cut = type.name === 'DS' ? `${owner.toString()} 60 IN NS ns1.example.net.\n` : '';
    return cut + writeRecordSet({ owner, type, ttl: 60, rdatas: [rdata] });
  });
  return HEAD + lines.join('');
}

describe.each([...STANDARD_TYPES, ...OPAQUE].map((type) => [type.name, type] as const))(
  'random data of %s that the service accepts',
  (_, type) => {
    for (const program of NAME_SERVERS)
      itWith(program)(`5.15 loads in ${program.name} (seed ${SEED})`, async () => {
        const loaded = await program.read(EXAMPLE_ORG, zoneOf(type)).catch((error: unknown) => {
          if (error instanceof Error && error.message.startsWith(LOADED)) return { records: [], output: '' };
          throw error;
        });
        expect(loaded.records === undefined ? loaded.output : '').toBe('');
      });
  },
);
