import assert from 'node:assert/strict';
import { DomainName } from '../dns/name.js';
import { fieldsOf } from '../dns/rdata/fields-of.js';
import type { RecordType } from '../dns/rdata/record-type.js';
import { tokenize } from '../dns/rdata/tokenize.js';

/** Completes the relative names of samples. */
export const EXAMPLE_ORG = DomainName.parse('example.org.');

/** RDATA survives every form it can take, and the form in which it is compared is its own. */
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

/** RDATA that is shown field by field as JSON is read back from that. */
export function assertInFields(type: RecordType, rdata: Uint8Array): void {
  const fields = fieldsOf(type);
  const sent = JSON.stringify(fields.show(rdata));
  const read = fields.parse(JSON.parse(sent) as Record<string, unknown>, type.toData(rdata).priority);
  assert.equal(toHex(read), toHex(rdata), `the octets are others after they were written as ${sent}`);
}

/** Programs are told enough of each field to ask for it. */
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

/** As RFC 3597 §5 writes RDATA of any type. */
export function genericText(hex: string): string {
  return `\\# ${hex.length / 2} ${hex}`.trimEnd();
}

function toHex(octets: Uint8Array): string {
  return Buffer.from(octets).toString('hex');
}
