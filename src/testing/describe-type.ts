import assert from 'node:assert/strict';
import { quoted, DomainName } from '../dns/name.js';
import { RdataError } from '../dns/rdata/rdata-error.js';
import type { RecordType } from '../dns/rdata/record-type.js';
import { tokenize } from '../dns/rdata/tokens.js';
import { fieldsOf } from '../dns/rdata/fields-of.js';

/** API data alone, or data with its priority. */
export type TypeSample = string | readonly [data: string, priority: number | null];

/** Samples for the test of a record type. */
export interface TypeSamples {
  readonly accepts: readonly TypeSample[];
  readonly refuses: readonly TypeSample[];
  /** Data as sent, and in canonical form. */
  readonly writes?: readonly (readonly [sent: string, written: string])[];
  /** Items of a master file below `example.org.`, and the resulting API data. */
  readonly loads?: readonly (readonly [items: string, data: string])[];
  /** RDATA in hexadecimal digits. */
  readonly refusesOctets?: readonly string[];
}

/** The required functions of a test runner. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => void) => unknown;
}

/**
 * Tests a record type with two lists and the rules for every type: RDATA survives each form, its canonical form is
 * correct and stable, and refused data causes an RdataError of one line.
 * @param runner needed without globals: `import * as runner from 'node:test'`
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

/** Jest, vitest and mocha have them by default. */
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

/** Any other error than an RdataError would cause a 500. */
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

const EXAMPLE_ORG = DomainName.parse('example.org.');

/** RDATA survives each form, and its canonical form is stable. */
export function assertStable(type: RecordType, rdata: Uint8Array): void {
  assertReadBack(type, rdata);
  type.check(rdata);
  const canonical = type.canonicalize(rdata);
  assertReadBack(type, canonical);
  type.check(canonical);
  assert.equal(toHex(type.canonicalize(canonical)), toHex(canonical), 'its canonical form has another canonical form');
}

function assertReadBack(type: RecordType, rdata: Uint8Array): void {
  const hex = toHex(rdata);
  const { data, priority } = type.toData(rdata);
  const text = type.toText(rdata);
  const readBack = (form: string, read: Uint8Array): void =>
    assert.equal(toHex(read), hex, `the octets are others after they were written as ${form}`);
  readBack(data, type.parse(data, priority));
  assert.match(text, /^[ -~]+$/);
  readBack(text, type.parseTokens(tokenize(text), EXAMPLE_ORG));
  const generic = genericText(hex);
  readBack(generic, type.parseTokens(tokenize(generic), EXAMPLE_ORG));
  assertInFields(type, rdata);
}

/** RDATA survives the round trip through JSON fields. */
export function assertInFields(type: RecordType, rdata: Uint8Array): void {
  const fields = fieldsOf(type);
  const sent = JSON.stringify(fields.show(rdata));
  const read = fields.parse(JSON.parse(sent) as Record<string, unknown>, type.toData(rdata).priority);
  assert.equal(toHex(read), toHex(rdata), `the octets are others after they were written as ${sent}`);
}

/** The description of each field is complete enough for a form. */
export function assertDescribed(type: RecordType): void {
  const { descriptions, priority } = fieldsOf(type);
  assert.equal(priority === null, type.priority === 'none', 'its priority is described where it has one');
  assert.ok(descriptions.length > 0, 'it has fields');
  assert.equal(new Set(descriptions.map(({ name }) => name)).size, descriptions.length, 'each name is there once');
  for (const { name, label, form, kind, minimum, maximum, values = [] } of descriptions) {
    assert.match(name, /^[a-z][a-z0-9_]*$/);
    assert.match(label, /^[A-Z0-9]/);
    assert.notEqual(form, '', `what ${name} is made of is said`);
    if (kind === 'number') assert.ok((minimum ?? NaN) < (maximum ?? NaN), `${name} has bounds`);
    if (kind === 'choice') assert.ok(values.length > 0, `${name} has values`);
    for (const value of values) assert.notEqual(value.label, '', `each value of ${name} has a label`);
  }
}

/** RDATA of any type (RFC 3597 §5). */
function genericText(hex: string): string {
  return `\\# ${hex.length / 2} ${hex}`.trimEnd();
}

function toHex(octets: Uint8Array): string {
  return Buffer.from(octets).toString('hex');
}
