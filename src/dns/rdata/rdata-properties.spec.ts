import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { assertStable } from '../../testing/describe-type.js';
import { validRdata } from '../../../test/support/valid-rdata.js';
import { DomainName } from '../name.js';
import { genericType, RdataError, type RecordType, SOA, STANDARD_TYPES, type Token } from './index.js';
import { processorTime } from '../../../test/support/processor-time.js';

const ORIGIN = DomainName.parse('example.org.');
const TYPES: readonly RecordType[] = [...STANDARD_TYPES, SOA, genericType('TYPE65280') ?? SOA];

describe.each(TYPES.map((type) => [type.name, type] as const))('%s', (_, type) => {
  const valid = validRdata(type);

  it('survives text and octets with any value', () => {
    fc.assert(
      fc.property(valid, (rdata) => assertStable(type, rdata)),
      { numRuns: 50 },
    );
  });

  it('has one spelling for each value, and one value for each spelling', () => {
    fc.assert(
      fc.property(valid, valid, (a, b) => {
        expect(type.toText(a) === type.toText(b)).toBe(Buffer.compare(a, b) === 0);
      }),
      { numRuns: 30 },
    );
  });

  it('reads any text, or refuses it as an RdataError', () => {
    fc.assert(
      fc.property(anyData(type.example.data), (data) => {
        const priority = type.priority === 'required' ? 10 : null;
        attempt(type, () => type.parse(data, priority));
      }),
      { numRuns: 100 },
    );
  });

  it('reads any tokens, or refuses them as an RdataError', () => {
    fc.assert(
      fc.property(fc.array(anyToken(), { maxLength: 8 }), (tokens) => {
        attempt(type, () => type.parseTokens(tokens, ORIGIN));
      }),
      { numRuns: 100 },
    );
  });

  it('reads any octets, or refuses them as an RdataError', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 40 }), valid.map(mangled)), (octets) => {
        attempt(type, () => {
          type.check(octets);
          return octets;
        });
      }),
      { numRuns: 100 },
    );
  });
});

it('long text slows no type down', () => {
  const texts = ['a'.repeat(1e7), '"'.repeat(1e7), '\\'.repeat(1e7), '1 '.repeat(5e6), 'é'.repeat(265_000)];
  const words = Array.from({ length: 500_000 }, () => ({ text: '', quoted: true }));
  for (const type of TYPES) {
    const priority = type.priority === 'required' ? 10 : null;
    const started = processorTime();
    for (const text of texts) {
      expect(() => type.parse(text, priority)).toThrow(RdataError);
      expect(() => type.parseTokens([{ text, quoted: true }], ORIGIN)).toThrow(RdataError);
    }
    expect(() => type.parseTokens(words, ORIGIN)).toThrow(RdataError);
    expect([type.name, processorTime() - started < 500]).toEqual([type.name, true]);
  }
});

type Spelling = readonly [data: string, priority: number | null];

describe('comparing', () => {
  it.each<readonly [string, Spelling, Spelling]>([
    ['MX', ['Mail.Example.ORG.', 10], ['mail.example.org.', 10]],
    ['CNAME', ['WWW.example.org.', null], ['www.EXAMPLE.org.', null]],
    ['SRV', ['5 5060 SIP.example.org.', 10], ['5 5060 sip.example.org.', 10]],
    ['RP', ['A.example.org. B.example.org.', null], ['a.example.org. b.example.org.', null]],
    ['NAPTR', ['1 2 "S" "X" "" A.example.org.', null], ['1 2 "S" "X" "" a.example.org.', null]],
    ['HTTPS', ['1 SVC.example.org. alpn="h2"', null], ['1 svc.example.org. alpn=h2', null]],
    ['AAAA', ['2001:DB8::1', null], ['2001:db8:0::1', null]],
    ['TXT', ['a b', null], ['"a b"', null]],
    ['CAA', ['0 ISSUE "ca"', null], ['0 issue "ca"', null]],
  ])('finds two spellings of one %s', (name, a, b) => {
    expect(canonical(name, ...a)).toBe(canonical(name, ...b));
  });

  it.each<readonly [string, Spelling, Spelling]>([
    ['MX', ['mail.example.org.', 10], ['mail.example.org.', 20]],
    ['TXT', ['A', null], ['a', null]],
    ['TXT', ['"a" "b"', null], ['"ab"', null]],
    ['HINFO', ['"A" "b"', null], ['"a" "b"', null]],
    ['NAPTR', ['1 2 "S" "X" "" .', null], ['1 2 "s" "X" "" .', null]],
    ['CNAME', ['a.b.example.org.', null], [String.raw`a\.b.example.org.`, null]],
  ])('tells two values of %s apart', (name, a, b) => {
    expect(canonical(name, ...a)).not.toBe(canonical(name, ...b));
  });
});

/** Noise, and a valid example with a little of it changed: the second gets past the first check. */
function anyData(example: string): fc.Arbitrary<string> {
  const noise = fc.string({ unit: fc.constantFrom(...'aZ.\\"019 ;()@*#=,é😀\n\t\u0000\ud800'), maxLength: 12 });
  const place = fc.nat({ max: example.length });
  return fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    noise,
    fc.tuple(place, place, noise).map(([from, to, text]) => `${example.slice(0, from)}${text}${example.slice(to)}`),
  );
}

function anyToken(): fc.Arbitrary<Token> {
  const text = fc.oneof(
    fc.constantFrom('0', '1', '3', '13', 'a', 'a.', '.', '@', '\\#', 'AA==', 'ab', 'alpn=h2', 'N', 'E', 'TYPE1', '\\"'),
    fc.string({ unit: fc.constantFrom(...'aZ.\\"019;=é'), maxLength: 6 }),
  );
  return fc.record({ text, quoted: fc.boolean() });
}

function mangled(rdata: Uint8Array): Uint8Array {
  const octets = Uint8Array.from(rdata);
  if (octets.length > 0) octets[octets.length >> 1] = 0;
  return octets.length % 3 === 0 ? octets.subarray(0, -1) : octets;
}

function attempt(type: RecordType, read: () => Uint8Array): void {
  let rdata: Uint8Array;
  try {
    rdata = read();
  } catch (error) {
    expect(error).toBeInstanceOf(RdataError);
    return;
  }
  assertStable(type, rdata);
}

function canonical(name: string, data: string, priority: number | null): string {
  const type = TYPES.find((candidate) => candidate.name === name);
  if (!type) throw new Error(`no such type: ${name}`);
  return Buffer.from(type.canonicalize(type.parse(data, priority))).toString('hex');
}
