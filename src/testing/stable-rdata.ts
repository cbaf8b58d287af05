import assert from 'node:assert/strict';
import { DomainName } from '../dns/name.js';
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
}

/** As RFC 3597 §5 writes RDATA of any type. */
export function genericText(hex: string): string {
  return `\\# ${hex.length / 2} ${hex}`.trimEnd();
}

function toHex(octets: Uint8Array): string {
  return Buffer.from(octets).toString('hex');
}
