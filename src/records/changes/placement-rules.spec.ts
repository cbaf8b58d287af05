import { describe, expect, it } from '@jest/globals';
import { ALL_TYPES } from '../../../test/support/master-file.js';
import { contentOf, keyOfLabel, stateOf } from '../../../test/support/zone-state.js';
import {
  notDelegated,
  fitsMessage,
  noOccludedBelow,
  notOccluded,
  duplicateError,
  singletonType,
  insideZone,
  allowedAtName,
  coexistence,
  PLACEMENT_RULES,
  type PlacementRule,
  exclusiveValue,
} from './placement-rules.js';

const ADDRESS = 'A 192.0.2.1';
const ALIAS = 'CNAME example.net.';
const LABELS = ['@', 'a', 'b', 'x.a', '*.a', 'child', 'w.child'];

type Rule = PlacementRule | typeof duplicateError;

/** The verdict of a rule on the last record among the others; `null`: valid. */
function verdictOf(rule: Rule, lines: readonly string[]) {
  const state = stateOf(lines, LABELS);
  if (rule === notDelegated) state.knowZoneBelow(keyOfLabel('child'));
  const content = contentOf(lines.at(-1)!);
  const record = state.recordsLike(content).at(-1)!;
  const type = ALL_TYPES.byName(content.type)!;
  return rule(state, { id: record.id, content, type, knownTypes: ALL_TYPES })?.code ?? null;
}

it.each<[string, Rule, string[], string | null]>([
  ['5.7 inside the zone', insideZone, [`a ${ADDRESS}`], null],
  ['5.7 at the apex', insideZone, [`@ ${ADDRESS}`], null],
  ['5.7 outside', insideZone, [`a.example.net. ${ADDRESS}`], 'invalid_location'],
  ['5.7 a name that only ends alike', insideZone, [`notexample.org. ${ADDRESS}`], 'invalid_location'],
  ['5.7 next to a child zone', notDelegated, [`a ${ADDRESS}`], null],
  ['5.7 at a zone below', notDelegated, [`child ${ADDRESS}`], 'invalid_location'],
  ['5.7 in a zone below', notDelegated, [`w.child ${ADDRESS}`], 'invalid_location'],
  ['5.7 delegating to a zone below', notDelegated, ['child NS ns.example.net.'], null],
  ['5.7 NS in a zone below', notDelegated, ['w.child NS ns.example.net.'], 'invalid_location'],
  ['5.6 a CNAME at the apex', allowedAtName, [`@ ${ALIAS}`], 'invalid_location'],
  ['5.6 a CNAME elsewhere', allowedAtName, [`a ${ALIAS}`], null],
  ['5.10 NS at a wildcard', allowedAtName, ['*.a NS ns.example.net.'], 'invalid_location'],
  ['5.6 a CNAME next to an address', coexistence, [`a ${ADDRESS}`, `a ${ALIAS}`], 'invalid_location'],
  ['5.6 an address next to a CNAME', coexistence, [`a ${ALIAS}`, `a ${ADDRESS}`], 'invalid_location'],
  ['5.6 a CNAME at another name', coexistence, [`b ${ADDRESS}`, `a ${ALIAS}`], null],
  ['5.10 a DNAME next to NS', coexistence, ['a NS ns.example.net.', 'a DNAME b.example.net.'], 'invalid_location'],
  ['5.10 a DNAME next to NS at the apex', coexistence, ['@ NS ns.example.net.', '@ DNAME b.example.net.'], null],
  ['5.10 below a DNAME', notOccluded, ['a DNAME b.example.net.', `x.a ${ADDRESS}`], 'invalid_location'],
  ['5.10 below a DNAME at the apex', notOccluded, ['@ DNAME b.example.net.', `x.a ${ADDRESS}`], 'invalid_location'],
  ['5.10 at a DNAME', notOccluded, ['a DNAME b.example.net.', `a ${ADDRESS}`], null],
  ['5.6 the only CNAME', singletonType, [`a ${ALIAS}`], null],
  ['5.6 a second CNAME', singletonType, [`a ${ALIAS}`, 'a CNAME other.example.net.'], 'invalid_location'],
  ['5.6 the very same CNAME', singletonType, [`a ${ALIAS}`, `A ${ALIAS}`], 'duplicate_record'],
  ['5.10 a null MX alone', exclusiveValue, ['a MX 0 .'], null],
  ['5.10 a null MX next to another', exclusiveValue, ['a MX 10 m.example.net.', 'a MX 0 .'], 'invalid_location'],
  ['5.10 an MX next to a null MX', exclusiveValue, ['a MX 0 .', 'a MX 10 m.example.net.'], 'invalid_location'],
  ['5.10 the very same null MX', exclusiveValue, ['a MX 0 .', 'a MX 0 .'], 'duplicate_record'],
  ['5.10 a null MX of another priority', exclusiveValue, ['a MX 0 .', 'a MX 5 .'], 'invalid_location'],
  ['5.10 two exchangers', exclusiveValue, ['a MX 0 m.example.net.', 'a MX 0 n.example.net.'], null],
  ['5.10 a DNAME above something', noOccludedBelow, [`x.a ${ADDRESS}`, 'a DNAME b.example.net.'], 'invalid_location'],
  ['5.10 a DNAME next to a subtree', noOccludedBelow, [`b ${ADDRESS}`, 'a DNAME b.example.net.'], null],
  ['5.5 a record', duplicateError, [`a ${ADDRESS}`], null],
  [
    '5.5 the same in another spelling',
    duplicateError,
    ['a AAAA 2001:db8::1', 'A AAAA 2001:DB8:0::1'],
    'duplicate_record',
  ],
  ['4.4 a set that fits a message', fitsMessage, [`a ${ADDRESS}`], null],
])('%s', (_, rule, lines, code) => expect(verdictOf(rule, lines)).toBe(code));

describe('4.4 the size of a record set', () => {
  const texts = (count: number): string[] =>
    Array.from({ length: count }, (_, at) => `a TXT "${String(at).padStart(200, 'x')}"`);

  it('is bounded by a DNS message', () => {
    // 12 + 4 + 15 octets, and 12 + 201 for each record.
    expect(verdictOf(fitsMessage, texts(307))).toBeNull();
    expect(verdictOf(fitsMessage, texts(308))).toBe('invalid_object');
  });
});

it('3.4 a record is refused by the first of the rules', () => {
  const state = stateOf([`a ${ALIAS}`, `a ${ADDRESS}`], LABELS);
  const content = contentOf('a.example.net. CNAME example.org.');
  const type = ALL_TYPES.byName('CNAME')!;
  const [first] = PLACEMENT_RULES.map((rule) => () => rule(state, { id: '', content, type, knownTypes: ALL_TYPES }));
  expect(first!()?.message).toContain('is outside example.org.');
});
