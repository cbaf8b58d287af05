import assert from 'node:assert/strict';
import { quoted } from '../dns/name.js';
import { RdataError, type RecordType } from '../dns/rdata/record-type.js';
import { tokenize } from '../dns/rdata/tokenize.js';
import { assertDescribed, assertInFields, assertStable, EXAMPLE_ORG, genericText } from './stable-rdata.js';

/** API data alone, or data with its priority. */
export type TypeSample = string | readonly [data: string, priority: number | null];

/** What a record type is tried with. */
export interface TypeSamples {
  readonly accepts: readonly TypeSample[];
  readonly refuses: readonly TypeSample[];
  /** Data as sent, and as it is written canonically. */
  readonly writes?: readonly (readonly [sent: string, written: string])[];
  /** Items of a master file below `example.org.`, and the API data that they come to. */
  readonly loads?: readonly (readonly [items: string, data: string])[];
  /** RDATA in hexadecimal digits. */
  readonly refusesOctets?: readonly string[];
}

/** The two functions of a test runner that are needed. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => void) => unknown;
}

/**
 * The test of a record type: two lists, and the promises that every type makes about them. RDATA survives every form that
 * it can take, its canonical form is right and its own, and whatever is refused is refused by an RdataError of one line.
 * @param runner needed where there are no globals: `import * as runner from 'node:test'`
 */
export function describeType(type: RecordType, samples: TypeSamples, runner: TestRunner = globalRunner()): void {
  const { describe, it } = runner;
  describe(`${type.name} (${type.rfc})`, () => {
    const { data: example, priority: itsPriority } = type.example;
    for (const [data, priority] of [[example, itsPriority] as const, ...samples.accepts.map(spell)]) {
      it(`accepts ${quoted(data)}${withPriority(priority)} and writes what it reads`, () => {
        assertStable(type, type.parse(data, priority));
      });
    }

    for (const [data, priority] of samples.refuses.map(spell)) {
      it(`refuses ${quoted(data)}${withPriority(priority)}`, () => {
        assertRefused(() => type.parse(data, priority));
      });
    }

    for (const [sent, written] of samples.writes ?? []) {
      it(`writes ${quoted(sent)} as ${quoted(written)}`, () => {
        assert.equal(type.toData(type.parse(sent, type.priority === 'required' ? 10 : null)).data, written);
      });
    }

    for (const [items, data] of samples.loads ?? []) {
      it(`loads ${quoted(items)} as ${quoted(data)}`, () => {
        assert.equal(type.toData(type.parseTokens(tokenize(items), EXAMPLE_ORG)).data, data);
      });
    }

    for (const hex of samples.refusesOctets ?? []) {
      it(`refuses the octets ${quoted(hex)}`, () => {
        assertRefused(() => type.check(Buffer.from(hex, 'hex')));
        assertRefused(() => type.parseTokens(tokenize(genericText(hex)), EXAMPLE_ORG));
      });
    }

    it('tells programs of its fields, and reads its example from them', () => {
      assertDescribed(type);
      assertInFields(type, type.parse(example, itsPriority));
    });

    it('accepts or refuses octets that are cut off, and does not break', () => {
      const rdata = type.parse(example, itsPriority);
      for (let length = 0; length < rdata.length; length += 1) {
        const refusal = refusalOf(() => type.check(rdata.subarray(0, length)));
        if (refusal !== null) assertClear(refusal);
      }
    });
  });
}

/** Jest, vitest and mocha have them, unless they are told not to. */
function globalRunner(): TestRunner {
  const { describe, it } = globalThis as Partial<TestRunner>;
  if (describe !== undefined && it !== undefined) return { describe, it };
  throw new Error(
    'describeType() finds no global describe and it: hand them over, import * as runner from "node:test"',
  );
}

function assertRefused(read: () => unknown): void {
  const refusal = refusalOf(read);
  if (refusal === null) assert.fail('it is accepted');
  assertClear(refusal);
}

function refusalOf(read: () => unknown): unknown {
  try {
    read();
    return null;
  } catch (error) {
    return error;
  }
}

/** Another error than an RdataError would be answered 500. */
function assertClear(refusal: unknown): void {
  assert.ok(refusal instanceof RdataError, `it is not refused by an RdataError, but breaks: ${String(refusal)}`);
  assert.match(refusal.message, /^[^\n]+$/, 'the message is one line');
}

function spell(sample: TypeSample): readonly [data: string, priority: number | null] {
  return typeof sample === 'string' ? [sample, null] : sample;
}

function withPriority(priority: number | null): string {
  return priority === null ? '' : ` with priority ${priority}`;
}
