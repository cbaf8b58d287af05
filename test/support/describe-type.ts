import { describe, expect, it } from '@jest/globals';

import { DomainName, quoted } from '../../src/dns/name.js';
import { tokenize } from '../../src/dns/rdata/tokenize.js';
import { RdataError, type RecordType } from '../../src/dns/rdata/record-type.js';

/** Data alone, or data with its priority. */
type Sample = string | readonly [data: string, priority: number | null];

interface Samples {
  readonly accepts: readonly Sample[];
  readonly refuses: readonly Sample[];
  /** Data as sent, and as it is written canonically. */
  readonly writes?: readonly (readonly [sent: string, written: string])[];
  /** Items of a master file below `example.org.`, and the API data that they come to. */
  readonly loads?: readonly (readonly [items: string, data: string])[];
  readonly refusesOctets?: readonly string[];
}

/** The test of a record type: two lists, and the promises that every type makes about them. */
export function describeType(type: RecordType, samples: Samples): void {
  describe(`${type.name} (${type.rfc})`, () => {
    const { data: example, priority: itsPriority } = type.example;
    for (const [data, priority] of [[example, itsPriority] as const, ...samples.accepts.map(spell)]) {
      it(`accepts ${quoted(data)}${withPriority(priority)} and writes what it reads`, () => {
        expectStable(type, type.parse(data, priority));
      });
    }

    for (const [data, priority] of samples.refuses.map(spell)) {
      it(`refuses ${quoted(data)}${withPriority(priority)}`, () => {
        expect(() => type.parse(data, priority)).toThrow(RdataError);
      });
    }

    for (const [sent, written] of samples.writes ?? []) {
      it(`writes ${quoted(sent)} as ${quoted(written)}`, () => {
        expect(type.toData(type.parse(sent, type.priority === 'required' ? 10 : null)).data).toBe(written);
      });
    }

    for (const [items, data] of samples.loads ?? []) {
      it(`loads ${quoted(items)} as ${quoted(data)}`, () => {
        expect(type.toData(type.parseTokens(tokenize(items), EXAMPLE_ORG)).data).toBe(data);
      });
    }

    for (const hex of samples.refusesOctets ?? []) {
      it(`refuses the octets ${quoted(hex)}`, () => {
        expect(() => type.check(Buffer.from(hex, 'hex'))).toThrow(RdataError);
        expect(() => type.parseTokens(tokenize(genericText(hex)), EXAMPLE_ORG)).toThrow(RdataError);
      });
    }
  });
}

/** RDATA survives every form it can take, and the form in which it is compared is its own. */
export function expectStable(type: RecordType, rdata: Uint8Array): void {
  const hex = toHex(rdata);
  const { data, priority } = type.toData(rdata);
  const text = type.toText(rdata);
  expect(toHex(type.parse(data, priority))).toBe(hex);
  expect(text).toMatch(/^[ -~]+$/);
  expect(toHex(type.parseTokens(tokenize(text), EXAMPLE_ORG))).toBe(hex);
  expect(toHex(type.parseTokens(tokenize(genericText(hex)), EXAMPLE_ORG))).toBe(hex);
  type.check(rdata);
  type.check(type.canonicalize(rdata));
  expect(toHex(type.canonicalize(type.canonicalize(rdata)))).toBe(toHex(type.canonicalize(rdata)));
}

const EXAMPLE_ORG = DomainName.parse('example.org.');

function spell(sample: Sample): readonly [data: string, priority: number | null] {
  return typeof sample === 'string' ? [sample, null] : sample;
}

function withPriority(priority: number | null): string {
  return priority === null ? '' : ` with priority ${priority}`;
}

function genericText(hex: string): string {
  return `\\# ${hex.length / 2} ${hex}`.trimEnd();
}

function toHex(octets: Uint8Array): string {
  return Buffer.from(octets).toString('hex');
}
