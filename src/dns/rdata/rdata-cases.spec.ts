import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { assertStable } from '../../testing/describe-type.js';
import { quoted } from '../name.js';
import { RdataError, RecordTypes, STANDARD_TYPES } from './index.js';

/** A line of the reference: text, expected result, and results of the name servers. */
interface RdataCase {
  readonly type: string;
  readonly data: string;
  /** Text where the case is about a priority that is no integer. */
  readonly priority?: number | string;
  readonly expect: 'accept' | 'reject' | 'policy';
  readonly note: string;
  /** The whole RDATA in hexadecimal; one for each server where they differ. */
  readonly wire?: string | null | Readonly<Record<string, string>>;
}

// The file is ours and has this form.
const CASES = JSON.parse(readFileSync('test/data/rdata-cases.json', 'utf8')) as readonly RdataCase[];
const TYPES = new RecordTypes(STANDARD_TYPES, { generic: true });

/**
 * Where the reference contradicts itself: it refuses *.example.net. as the target of a CNAME and accepts this one.
 * spec/behaviour.md 5.1 has no wildcards in data, and it wins.
 */
const EXCEPTION = { type: 'CNAME', data: '*.example.test.' };

/** Decisions where the reference leaves a choice, as a careful operator would make them. */
const DECISIONS: readonly (readonly [type: string, data: string, verdict: 'accept' | 'reject', reason: string])[] = [
  ['CAA', '0 issue ;', 'reject', 'no server loads it; "0 issue \\";\\"" says the same'],
  ['CAA', '1 unknown "x"', 'accept', 'reserved flags and unknown tags are ignored, not wrong (RFC 8659 §4.1)'],
  ['TLSA', `3 1 1 ${'123456789abcdef67890'.repeat(2)}`, 'reject', 'a digest of the wrong length never matches'],
  ['TLSA', `4 1 1 ${'0123456789abcdef'.repeat(4)}`, 'reject', 'clients ignore a usage that has no meaning'],
  ['TLSA', `3 1 1 ${'0123456789abcdef'.repeat(2)} ${'0123456789abcdef'.repeat(2)}`, 'accept', 'groups are one value'],
  ['DS', '12345 8 99 aabb', 'accept', 'named, knotd and nsd load it; kzonecheck alone refuses it'],
  ['DS', `12345 8 2 ${'0123456789abcdef'.repeat(2)} ${'0123456789abcdef'.repeat(2)}`, 'accept', 'groups are one value'],
  ['SVCB', '0 foo.example.com. alpn=h2', 'accept', 'clients ignore the parameters of an alias (RFC 9460 §2.4.2)'],
  ['SVCB', '1 foo.example.com. mandatory=mandatory', 'reject', 'RFC 9460 §8 forbids it; only ldns loads it'],
  ['URI', '10 1 unquoted', 'reject', 'RFC 7553 §4.4 has it in quotes; BIND and ldns load nothing else'],
  ['CSYNC', '66 3', 'accept', 'RFC 7477 §2.1.1.2.1 has no least number of types; BIND, Knot and NSD load it'],
  ['CSYNC', '66 3 A A', 'accept', 'a set has each member once, and every server reads it so'],
  ['HINFO', 'PC', 'reject', 'RFC 1035 §3.3.2 has two strings; no server loads one'],
];

describe('the reference of record data', () => {
  for (const given of CASES) {
    const verdict = verdictOn(given);
    it(`${given.type} ${quoted(given.data)} (${given.note}): ${verdict}`, () => {
      const rdata = read(given);
      expect(rdata === undefined ? 'reject' : 'accept').toBe(verdict);
      if (rdata) assertStable(typeOf(given), rdata);
      if (rdata && given.wire) expect(wiresOf(given.wire)).toContain(Buffer.from(rdata).toString('hex'));
    });
  }

  it('leaves no other choice open', () => {
    expect(CASES.filter((given) => given.expect === 'policy')).toHaveLength(DECISIONS.length);
  });
});

function verdictOn({ type, data, expect: expected }: RdataCase): string {
  if (type === EXCEPTION.type && data === EXCEPTION.data) return 'reject';
  if (expected !== 'policy') return expected;
  return DECISIONS.find(([decided, text]) => decided === type && text === data)?.[2] ?? 'undecided';
}

/** Undefined where the service would refuse the record: as its data, or as a priority that is no integer. */
function read(given: RdataCase): Uint8Array | undefined {
  const { priority = null } = given;
  if (typeof priority === 'string') return undefined;
  try {
    return typeOf(given).parse(given.data, priority);
  } catch (error) {
    if (error instanceof RdataError) return undefined;
    throw error;
  }
}

function typeOf({ type }: RdataCase) {
  const found = TYPES.byName(type);
  if (!found) throw new Error(`no such type: ${type}`);
  return found;
}

function wiresOf(wire: string | Readonly<Record<string, string>>): string[] {
  return typeof wire === 'string' ? [wire] : Object.values(wire);
}
