import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { assertDescribed, assertInFields } from '../../testing/describe-type.js';
import { processorTime } from '../../../test/support/processor-time.js';
import { validRdata } from '../../../test/support/valid-rdata.js';
import { FieldsError } from './data-in-fields.js';
import { fieldsOf } from './fields-of.js';
import { recordType, type RecordType, SOA, STANDARD_TYPES } from './index.js';
import { genericType } from './generic.js';
import { uint16, uint8In } from './fields.js';

const TYPES: readonly RecordType[] = [...STANDARD_TYPES, SOA, genericType('TYPE65280') ?? SOA];

describe.each(TYPES.map((type) => [type.name, type] as const))('%s', (_, type) => {
  const { parse, descriptions } = bound(type);
  const priority = type.priority === 'required' ? 10 : null;

  it('4.7 describes each of its fields', () => assertDescribed(type));

  it('4.7 splits its example into fields and joins them again', () => {
    const { data } = type.example;
    const shown = fieldsOf(type).show(type.parse(data, type.example.priority));
    const again = type.toData(parse(shown, type.example.priority));
    expect(again).toEqual(type.toData(type.parse(data, type.example.priority)));
    expect(Object.keys(shown)).toEqual(descriptions.map(({ name }) => name));
  });

  it('4.7 survives conversion to fields with any value', () => {
    fc.assert(
      fc.property(validRdata(type), (rdata) => assertInFields(type, rdata)),
      { numRuns: 50 },
    );
  });

  it('4.7 reads any JSON in any field, or refuses it by name', () => {
    const shown = fieldsOf(type).show(type.parse(type.example.data, type.example.priority));
    const names = descriptions.map(({ name }) => name);
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.oneof(fc.jsonValue(), noise()), (name, json) => {
        try {
          assertInFields(type, parse({ ...shown, [name]: json }, priority));
        } catch (error) {
          if (!(error instanceof FieldsError)) throw error;
          for (const { path } of error.faults)
            expect(['fields', ...names.map((one) => `fields.${one}`)]).toContain(path);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('4.7 names each missing and each unknown field', () => {
    const faults = faultsOf(() => parse({ other: 1 }, priority));
    const missing = descriptions.filter(({ optional }) => !optional).map(({ name }) => `fields.${name} required`);
    expect(faults).toEqual(['fields.other additionalProperties', ...missing]);
  });

  it('4.7 is not slowed down by long values', () => {
    const long = ['a'.repeat(1e6), '\\'.repeat(1e6), Array.from({ length: 1e5 }, () => ''), 1e300, 'ab'.repeat(70_000)];
    const started = processorTime();
    for (const json of long) {
      const every = Object.fromEntries(descriptions.map(({ name }) => [name, json]));
      expect(faultsOf(() => parse(every, priority))).not.toEqual([]);
    }
    expect(processorTime() - started).toBeLessThan(1000);
  });
});

describe('the faults of fields', () => {
  it.each<readonly [string, Record<string, unknown>, readonly string[]]>([
    ['MX', { exchange: 'mail' }, ['fields.exchange format']],
    [
      'SSHFP',
      { algorithm: 5, fingerprint_type: 2, fingerprint: 'xy' },
      ['fields.algorithm format', 'fields.fingerprint format'],
    ],
    ['SSHFP', { algorithm: 4, fingerprint_type: 2, fingerprint: 'abcd' }, ['fields.fingerprint format']],
    ['TLSA', { usage: 3, selector: 1, matching_type: 1, certificate_data: '00' }, ['fields.certificate_data format']],
    ['DS', { key_tag: 1, algorithm: 1, digest_type: 2, digest: '00' }, ['fields.digest format']],
    ['DS', { key_tag: 1, algorithm: 13, digest_type: 3, digest: '00' }, ['fields.digest format']],
    ['NS', { name_server: '.' }, ['fields.name_server format']],
    ['HTTPS', { priority: 1, target: '.', parameters: [{ key: 'port', value: 'x' }] }, ['fields.parameters format']],
    ['HTTPS', { priority: 1, target: '.', parameters: [{ key: 'alpn=x', value: 'h2' }] }, ['fields.parameters type']],
    ['TXT', { text: ['a', 7] }, ['fields.text type']],
    ['TXT', { text: 'a\0b' }, ['fields.text type']],
    ['TXT', { text: { hexadecimal: 'f' } }, ['fields.text type']],
    ['CSYNC', { serial: 1, flags: 3, types: ['A', 'axfr'] }, ['fields.types format']],
    ['A', { address: 3221225985 }, ['fields.address type']],
  ])('4.7 %s of %j', (name, fields, faults) => {
    const type = typeOf(name);
    expect(faultsOf(() => bound(type).parse(fields, type.priority === 'required' ? 10 : null))).toEqual(faults);
  });

  it('4.7 have the priority next to the fields', () => {
    expect(faultsOf(() => bound(typeOf('MX')).parse({ exchange: 'mail.' }, null))).toEqual(['priority format']);
    expect(faultsOf(() => bound(typeOf('A')).parse({ address: '192.0.2.1' }, 1))).toEqual(['priority format']);
  });
});

describe('values', () => {
  it.each<readonly [string, Record<string, unknown>, string]>([
    ['TXT', { text: 'a "b" \\c; d' }, String.raw`"a \"b\" \\c; d"`],
    ['TXT', { text: ['é', { hexadecimal: 'ff00' }] }, String.raw`"\195\169" "\255\000"`],
    ['TXT', { text: ['x'.repeat(300)] }, `"${'x'.repeat(255)}" "${'x'.repeat(45)}"`],
    ['CAA', { flags: 0, tag: 'ISSUE', value: 'ca.example.org' }, '0 issue "ca.example.org"'],
    [
      'NAPTR',
      { order: 1, preference: 2, flags: 'U', services: 'E2U+sip', regexp: '!^(.*)$!sip:\\1!', replacement: '.' },
      String.raw`1 2 "U" "E2U+sip" "!^(.*)$!sip:\\1!" .`,
    ],
    ['HTTPS', { priority: 1, target: '.' }, '1 .'],
    [
      'HTTPS',
      {
        priority: 1,
        target: '.',
        parameters: [{ key: 'port', value: '8443' }, { key: 'alpn', value: 'h2,h3' }, { key: 'no-default-alpn' }],
      },
      '1 . alpn="h2,h3" no-default-alpn port="8443"',
    ],
    [
      'LOC',
      { location: '51 30 12.748 N 0 7 39.611 W 0.00m' },
      '51 30 12.748 N 0 7 39.611 W 0.00m 1.00m 10000.00m 10.00m',
    ],
    ['TYPE65280', { data: '' }, '\\# 0'],
    ['TYPE65280', {}, '\\# 0'],
    ['TYPE65280', { data: 'c000' }, '\\# 2 c000'],
  ])('4.7 of %s are written without quotes or escapes: %j', (name, fields, data) => {
    const type = typeOf(name);
    expect(type.toData(bound(type).parse(fields, null)).data).toBe(data);
  });
});

describe('a type of another team', () => {
  it('4.7 has its fields as text, with labels for its numbers where declared', () => {
    const { json: _, ...number } = uint16;
    const pair = { ...number, form: 'a pair' };
    const own = recordType({
      name: 'OWN',
      code: 65281,
      rfc: 'none',
      fields: { somePair: pair, kind: uint8In(new Map([[1, 'one']])) },
      example: { name: 'a.', data: '1 1' },
    });
    expect(fieldsOf(own).descriptions).toEqual([
      { name: 'some_pair', label: 'Some pair', form: 'a pair', kind: 'presentation' },
      { name: 'kind', label: 'Kind', form: '1', kind: 'choice', values: [{ value: 1, label: 'one' }] },
    ]);
    assertInFields(own, own.parse('1 1', null));
  });

  it('4.7 without field descriptions has its data as one text', () => {
    const { inFields: _, ...silent } = { ...bare(typeOf('MX')) };
    const fields = fieldsOf(silent);
    expect(fields.descriptions).toEqual([{ name: 'data', label: 'Data', form: 'host name', kind: 'presentation' }]);
    expect(fields.priority).toMatchObject({ name: 'priority', kind: 'number', maximum: 65535 });
    const rdata = fields.parse({ data: 'mail.example.org.' }, 10);
    expect(fields.show(rdata)).toEqual({ data: 'mail.example.org.' });
    expect(faultsOf(() => fields.parse({ data: 'mail' }, 10))).toEqual(['fields.data format']);
    expect(faultsOf(() => fields.parse({ data: 'mail.' }, null))).toEqual(['priority format']);
    expect(faultsOf(() => fields.parse({ text: '' }, 10))).toEqual([
      'fields.text additionalProperties',
      'fields.data required',
    ]);
  });
});

/** The same type without the class that it is of. */
function bare(type: RecordType): RecordType {
  return {
    ...type,
    parse: (data, priority) => type.parse(data, priority),
    parseTokens: (tokens, origin) => type.parseTokens(tokens, origin),
    toData: (rdata) => type.toData(rdata),
    toText: (rdata) => type.toText(rdata),
    values: (rdata) => type.values(rdata),
    targets: (rdata) => type.targets(rdata),
    canonicalize: (rdata) => type.canonicalize(rdata),
    check: (rdata) => type.check(rdata),
  };
}

function bound(type: RecordType) {
  const fields = fieldsOf(type);
  return { ...fields, parse: fields.parse.bind(fields), descriptions: fields.descriptions };
}

function typeOf(name: string): RecordType {
  const type = TYPES.find((one) => one.name === name);
  if (type === undefined) throw new Error(`no such type: ${name}`);
  return type;
}

function faultsOf(parse: () => unknown): string[] {
  try {
    parse();
    return [];
  } catch (error) {
    if (!(error instanceof FieldsError)) throw error;
    return error.faults.map(({ path, problem }) => `${path} ${problem}`);
  }
}

/** Almost valid values. */
function noise(): fc.Arbitrary<unknown> {
  const text = fc.string({ unit: fc.constantFrom(...'aZ.\\"019 ;()@*#=,é😀\n\u0000\ud800'), maxLength: 8 });
  const one = fc.oneof(text, fc.nat(70_000), fc.record({ hexadecimal: text }), fc.record({ key: text, value: text }));
  return fc.oneof(one, fc.array(one, { maxLength: 3 }));
}
