import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { ALL_TYPES, EXAMPLE_ORG, linesOf, readAll } from '../../../test/support/master-file.js';
import { validRdata } from '../../../test/support/valid-rdata.js';
import { DomainName } from '../name.js';
import { genericType, recordType, type RecordType, SOA, STANDARD_TYPES } from '../rdata/index.js';
import {
  writeDirectives,
  writeHeader,
  writeRecordSet,
  writeSpacedRecordSet,
  type RecordSet,
} from './master-file-writer.js';

const OPAQUE = genericType('TYPE65280');
const TYPES: readonly RecordType[] = [...STANDARD_TYPES, SOA, ...(OPAQUE ? [OPAQUE] : [])];

describe('the master-file writer', () => {
  it('writes one line for each record', () => {
    const set: RecordSet = setOf('www.example.org.', 'MX', 300, ['10 mail.example.org.', '0 .']);
    expect(writeRecordSet(set)).toBe(
      'www.example.org.\t300\tIN\tMX\t10 mail.example.org.\nwww.example.org.\t300\tIN\tMX\t0 .\n',
    );
  });

  it('writes a TTL where it is not the default, and blanks alone, where that is wanted', () => {
    const set: RecordSet = setOf('www.example.org.', 'MX', 300, ['10 mail.example.org.']);
    expect(writeSpacedRecordSet(set, 300)).toBe('www.example.org.  IN MX 10 mail.example.org.\n');
    expect(writeSpacedRecordSet(set, 60)).toBe('www.example.org. 300 IN MX 10 mail.example.org.\n');
    expect(writeDirectives(EXAMPLE_ORG, 60)).toBe('$ORIGIN example.org.\n$TTL 60\n');
  });

  it('writes no octet that could mean something else', () => {
    const owner = DomainName.parse('a\\010\\"\\;\\\\$b.example.org.');
    const text = writeRecordSet({ ...setOf('.', 'TXT', 5, ['"\\010$INCLUDE x" "\\";\\\\" "é\\000"']), owner });
    expect(text).toMatch(/^[ -~\t]+\n$/);
    expect(text.split('\t').at(-1)).toBe('"\\010$INCLUDE x" "\\";\\\\" "\\195\\169\\000"\n');
  });

  it.each([
    ['would let break out of its line', 'SPF', 99, 'x\ny'],
    ['has given a name that name servers do not know', 'ODD', 65281, 'x'],
    ['has given the name of another', 'SPF', 65281, 'x'],
  ])('writes in octets values that a type %s', (_, name, code, text) => {
    const plugin: RecordType = {
      ...recordType({ name, code, rfc: '', fields: {}, example: { name: '', data: '' } }),
      toText: () => text,
    };
    expect(writeRecordSet({ owner: EXAMPLE_ORG, type: plugin, ttl: 5, rdatas: [Uint8Array.of(1, 2)] })).toBe(
      `example.org.\t5\tIN\tTYPE${code}\t\\# 2 0102\n`,
    );
  });

  it('writes the longest record so that it can be read back', () => {
    const rdata = Uint8Array.from({ length: 0xffff }, (_, at) => (at % 256 === 0 ? 0xff : at % 256));
    rdata[0xff00] = 0xfe;
    const type = ALL_TYPES.byName('TXT');
    const { records, errors } = readAll(
      type ? writeRecordSet({ owner: EXAMPLE_ORG, type, ttl: 5, rdatas: [rdata] }) : '',
    );
    expect(errors).toEqual([]);
    expect(hex(records[0]?.rdata ?? rdata.subarray(1))).toBe(hex(rdata));
  });

  it('writes a header that every reader passes over', () => {
    const header = writeHeader(DomainName.parse('a\\010b.example.org.'));
    expect(header).toBe('; a\\010b.example.org. written by Zonewright\n');
    expect(linesOf(header)).toEqual([]);
  });

  it.each(TYPES.map((type) => [type.name, type] as const))(
    'writes %s so that it is read back as the same set',
    (name, type) => {
      const rdatas = fc.array(validRdata(type), { minLength: 1, maxLength: 4 });
      fc.assert(
        fc.property(ownerName(), fc.integer({ min: 0, max: 2 ** 31 - 1 }), rdatas, (owner, ttl, values) => {
          const { records, errors } = readAll(writeRecordSet({ owner, type, ttl, rdatas: values }));
          expect(errors).toEqual([]);
          expect(
            records.map((record) => [hex(record.owner.wire), record.ttl, record.type.name, hex(record.rdata)]),
          ).toEqual(values.map((rdata) => [hex(owner.wire), ttl, name, hex(rdata)]));
        }),
      );
    },
  );
});

/** Labels of any octets below example.org. */
function ownerName(): fc.Arbitrary<DomainName> {
  const label = fc.uint8Array({ minLength: 1, maxLength: 20 }).map((octets) => [octets.length, ...octets]);
  return fc
    .array(label, { maxLength: 5 })
    .map((labels) => DomainName.read(Uint8Array.from([...labels.flat(), ...EXAMPLE_ORG.wire])));
}

function setOf(owner: string, type: string, ttl: number, data: readonly string[]): RecordSet {
  const { records } = readAll(data.map((line) => `a ${ttl} ${type} ${line}\n`).join(''));
  const found = ALL_TYPES.byName(type);
  if (!found || records.length !== data.length) throw new Error(`no ${type} in ${data.join(', ')}`);
  return { owner: DomainName.parse(owner), type: found, ttl, rdatas: records.map(({ rdata }) => rdata) };
}

function hex(octets: Uint8Array): string {
  return Buffer.from(octets).toString('hex');
}
