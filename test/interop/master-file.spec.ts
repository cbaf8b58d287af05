import { readFile } from 'node:fs/promises';
import { describe, expect } from '@jest/globals';
import fc from 'fast-check';

import { writeHeader, writeRecordSet, type RecordSet } from '../../src/dns/master-file/master-file-writer.js';
import { DomainName } from '../../src/dns/name.js';
import { genericType, SOA, STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import { NS } from '../../src/dns/rdata/name-types.js';
import { TXT } from '../../src/dns/rdata/text-types.js';
import {
  DNSPYTHON_ZONE,
  KZONECHECK,
  LDNS_READ_ZONE,
  NAMED_CHECKZONE,
  NSD_CHECKZONE,
  type ReadRecord,
  ZONE_PROGRAMS,
  type ZoneProgram,
} from '../support/dns-tools.js';
import { ALL_TYPES, EXAMPLE_ORG, readAll } from '../support/master-file.js';
import { itWith } from '../support/run-program.js';
import { validRdata } from '../support/valid-rdata.js';
import { canonicalRecords, recordsOfFile } from '../support/zone-records.js';
import { mutatedLines, randomLines } from './random-zone.js';

const TYPES = [...STANDARD_TYPES, genericType('TYPE65280')].filter((type) => type !== undefined);

const FOLDER = new URL('../data/master-files/', import.meta.url);

/** Syntax that only some programs accept; others refuse or misread the file. */
const HANDWRITTEN: readonly (readonly [file: string, readers: readonly ZoneProgram[]])[] = [
  ['example.org.zone', ZONE_PROGRAMS],
  ['inheritance.zone', ZONE_PROGRAMS],
  ['inherited-ttl.zone', [NAMED_CHECKZONE]],
  ['absolute.zone', ZONE_PROGRAMS],
  ['odd-names.zone', [NAMED_CHECKZONE, KZONECHECK, NSD_CHECKZONE, DNSPYTHON_ZONE]],
  ['class-first.zone', [NAMED_CHECKZONE, KZONECHECK, NSD_CHECKZONE]],
  ['relative-origin.zone', [NAMED_CHECKZONE]],
  ['raw-octets.zone', [NAMED_CHECKZONE, NSD_CHECKZONE, LDNS_READ_ZONE, DNSPYTHON_ZONE]],
  ['touching.zone', [NAMED_CHECKZONE, NSD_CHECKZONE, DNSPYTHON_ZONE]],
  ['generate.zone', [NAMED_CHECKZONE]],
];

describe.each(HANDWRITTEN)('%s', (name, readers) => {
  const variants = [
    ['as it is', (text: string) => text, readers],
    [
      'with CR LF',
      (text: string) => text.replaceAll('\n', '\r\n'),
      readers.filter((program) => program !== KZONECHECK),
    ],
  ] as const;
  describe.each(variants)('%s', (_, vary, programs) => {
    for (const program of programs) {
      itWith(program)(`is read by us as by ${program.name}`, async () => {
        const file = vary(await readFile(new URL(name, FOLDER), 'utf8'));
        expect(ours(file)).toEqual(await theirs(program, file));
      });
    }
  });
});

/** Deterministic, so that errors of other programs do not fail unrelated changes. */
const SEEDED = { seed: 20_261_121, endOnFailure: true };

describe('zones that we write', () => {
  for (const program of ZONE_PROGRAMS) {
    itWith(program)(`are read by ${program.name} as the same records, of every type`, async () => {
      await fc.assert(
        fc.asyncProperty(valuesOfEveryType(), async (values) => {
          const sets = zoneOf(values.map((value) => withoutMisread(value, program)));
          const file = write(sets);
          const written = canonicalRecords(sets.flatMap(recordsOf));
          expect(await theirs(program, file)).toEqual(written);
          expect(ours(file)).toEqual(written);
        }),
        { ...SEEDED, numRuns: 5 },
      );
    });
  }

  // The output of ldns for such names cannot be parsed again.
  for (const program of ZONE_PROGRAMS.filter((each) => each !== LDNS_READ_ZONE)) {
    itWith(program)(`are read by ${program.name} with every octet in owner names`, async () => {
      const owners = Array.from({ length: 256 }, (_, octet) => below(Uint8Array.of(2, octet, octet)));
      const sets = [...apex(), ...owners.map((owner) => ({ owner, type: TXT, ttl: 5, rdatas: [Uint8Array.of(0)] }))];
      expect(await theirs(program, write(sets))).toEqual(canonicalRecords(sets.flatMap(recordsOf)));
    });
  }
});

const PREAMBLE = '$TTL 1h\n@ SOA ns1 hostmaster 1 7200 900 1209600 300\n  NS ns.example.net.\n';

/** Faults that we find where BIND does not look, or reads on in its own way. */
const STRICTER = [
  /lies outside the zone/,
  /is not a host name/,
  /has a (wildcard|control octet) in it/,
  /a quote begins inside an item|has a quote inside/,
  /is not closed before the next one is opened/,
  /is not a TTL/,
  /is not ASCII/,
  /this parenthesis closes nothing/,
  /the backslash escapes nothing|has a bad escape/,
  /a carriage return stands alone/,
  /the number of octets/,
  /is not a range|is not a number format/,
];

/** Errors unrelated to parsing, and a BIND problem with a directive at the end of a file. */
const EXCUSES = /CNAME and other data|file does not end with newline/;

describe('random zones', () => {
  itWith(NAMED_CHECKZONE)('are read by us as by named-checkzone', async () => {
    await fc.assert(
      fc.asyncProperty(randomLines(), async (lines) => {
        const file = PREAMBLE + lines;
        expect(withoutTtl(ours(file))).toEqual(withoutTtl(await theirs(NAMED_CHECKZONE, file)));
      }),
      { ...SEEDED, numRuns: 40 },
    );
  });

  itWith(NAMED_CHECKZONE)('with mistakes in them are refused by us where named-checkzone does so', async () => {
    await fc.assert(
      fc.asyncProperty(mutatedLines(), async (lines) => {
        const { records, output } = await NAMED_CHECKZONE.read(EXAMPLE_ORG, PREAMBLE + lines);
        const [error] = readAll(PREAMBLE + lines).errors;
        if (error)
          expect({ verdict: records ? 'accepted' : 'refused', error: error.message }).toEqual(agreeing(error.message));
        else if (records) expect(withoutTtl(ours(PREAMBLE + lines))).toEqual(withoutTtl(canonicalRecords(records)));
        else expect(output).toMatch(EXCUSES);
      }),
      { ...SEEDED, numRuns: 60 },
    );
  });
});

/** The expected named-checkzone message for an error of Zonewright. */
function agreeing(error: string): unknown {
  const verdict = STRICTER.some((pattern) => pattern.test(error)) ? expect.any(String) : 'refused';
  return { verdict, error };
}

interface Values {
  readonly type: string;
  readonly ttl: number;
  readonly rdatas: readonly Uint8Array[];
}

function valuesOfEveryType(): fc.Arbitrary<readonly Values[]> {
  const values = TYPES.map((type) => {
    const rdatas = fc.array(validRdata(type), { minLength: 1, maxLength: type.placement.isSingle ? 1 : 4 });
    return fc.record({ type: fc.constant(type.name), ttl: fc.nat(604_800), rdatas });
  });
  return fc.tuple(...values);
}

/** Each type at a separate name, and the DS records at a delegation. */
function zoneOf(values: readonly Values[]): readonly RecordSet[] {
  const sets = values.map(({ type: name, ttl, rdatas }) => {
    const type = ALL_TYPES.byName(name);
    if (!type) throw new Error(`${name} is no type`);
    return { owner: named(`_${name}.${name}`), type, ttl, rdatas };
  });
  return [...apex(), ...sets, { ...servers(), owner: named('_DS.DS') }];
}

const NAMED_TYPES = ['CNAME', 'DNAME', 'PTR', 'RP', 'NAPTR', 'HTTPS', 'SVCB'];

/** Values that a program refuses, misreads or misprints: bugs of that program. */
const MISREAD: readonly (readonly [ZoneProgram, types: readonly string[], hasIt: (rdata: Uint8Array) => boolean])[] = [
  // Escaped commas and backslashes in alpn.
  [KZONECHECK, ['HTTPS', 'SVCB'], (rdata) => rdata.includes(0x5c) || rdata.includes(0x2c)],
  [LDNS_READ_ZONE, ['HTTPS', 'SVCB'], (rdata) => rdata.includes(0x5c) || rdata.includes(0x2c)],
  // A first label that is @ is taken for the origin, however it is escaped.
  [LDNS_READ_ZONE, NAMED_TYPES, (rdata) => Buffer.from(rdata).includes(Buffer.of(1, 0x40))],
  // It is printed as a character string.
  [LDNS_READ_ZONE, ['NSAP-PTR'], () => true],
  // It is served in full, but only the first string is printed.
  [NSD_CHECKZONE, ['SPF'], (rdata) => rdata.length > 1 + (rdata[0] ?? 0)],
  // \DDD is taken for a character there.
  [DNSPYTHON_ZONE, ['CAA', 'HINFO', 'NAPTR', 'URI'], (rdata) => rdata.some((octet) => octet > 0x7f)],
  // It refuses the parameters of an alias, which RFC 9460 §2.4.2 has recipients ignore.
  [DNSPYTHON_ZONE, ['HTTPS', 'SVCB'], (rdata) => rdata[0] === 0 && rdata[1] === 0],
  // Centimetres of altitude are lost in floating-point numbers.
  [DNSPYTHON_ZONE, ['LOC'], (rdata) => Buffer.from(rdata).readUInt32BE(12) % 100 !== 0],
];

function withoutMisread({ type, ttl, rdatas }: Values, program: ZoneProgram): Values {
  const misread = MISREAD.filter(([by, types]) => by === program && types.includes(type)).map(([, , hasIt]) => hasIt);
  return { type, ttl, rdatas: rdatas.filter((rdata) => !misread.some((hasIt) => hasIt(rdata))) };
}

function apex(): RecordSet[] {
  const rdata = SOA.parse('ns1.example.org. hostmaster.example.org. 1 7200 900 1209600 300', null);
  return [{ owner: EXAMPLE_ORG, type: SOA, ttl: 300, rdatas: [rdata] }, servers()];
}

function servers(): RecordSet {
  return { owner: EXAMPLE_ORG, type: NS, ttl: 300, rdatas: [NS.parse('ns.example.net.', null)] };
}

function named(name: string): DomainName {
  return DomainName.parse(name, EXAMPLE_ORG);
}

function below(label: Uint8Array): DomainName {
  return DomainName.read(Uint8Array.from([...label, ...EXAMPLE_ORG.wire]));
}

function write(sets: readonly RecordSet[]): string {
  return writeHeader(EXAMPLE_ORG) + sets.map(writeRecordSet).join('');
}

function recordsOf({ owner, type, ttl, rdatas }: RecordSet): ReadRecord[] {
  return rdatas.map((rdata) => ({ owner, code: type.code, ttl, rdata }));
}

/** A record set has one TTL, and BIND takes the first. */
function withoutTtl(lines: readonly string[]): string[] {
  return [...new Set(lines.map((line) => line.replace(/^(\S+) \d+ /, '$1 ')))].sort();
}

/** The records that a program reads, in canonical form. */
async function theirs(program: ZoneProgram, file: string): Promise<string[]> {
  const { records, output } = await program.read(EXAMPLE_ORG, file);
  if (!records) throw new Error(`${program.name} refuses the file: ${output}`);
  return canonicalRecords(records);
}

function ours(file: string): string[] {
  return recordsOfFile(file, EXAMPLE_ORG.toString());
}
