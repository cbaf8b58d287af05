import { describeType } from '../../testing/describe-type.js';
import { NAPTR, isSubstitution } from './naptr.js';
import { describe, expect, it } from '@jest/globals';

describeType(NAPTR, {
  accepts: [
    '100 10 "S" "SIP+D2U" "" _sip._udp.example.org.',
    '0 0 "" "" "" .',
    '100 10 "U" "E2U+sip" "!^.*$!sip:info@example.org!" .',
    '100 10 "U" "x" "!^.*$!sip:info@example.org!" example.org.',
  ],
  refuses: [
    '',
    '100 10 "U" "x" .',
    '100 10 "U "x" "" .',
    '100 10 "U!" "x" "" .',
    '100 10 "U" "x" "^.*$" .',
    '65536 10 "U" "x" "" .',
    '100 10 "U" "x" "" example',
    `100 10 "U" "${'x'.repeat(256)}" "" .`,
  ],
  writes: [['100 10 u e2u+sip "" .', '100 10 "u" "e2u+sip" "" .']],
  loads: [['100 10 S SIP+D2U "" _sip._udp', '100 10 "S" "SIP+D2U" "" _sip._udp.example.org.']],
  refusesOctets: ['0064000a', '0064000a01530000', '0064000a000002212100'],
});

describe('isSubstitution', () => {
  it.each([
    '!^.*$!sip:info@example.org!',
    '!^.*$!sip:info@example.org!i',
    String.raw`/^(\+?[0-9]{2,5})(.*)$/sip:\2@\1.example.org/`,
    String.raw`!a\!b!\!!`,
    '!a!!',
    '#[]a]|[^]-]#x#',
    '#[[:alpha:]_-]+#x#',
    '"(a|(b)){1,}c{3}"x"',
    '!a|^b|c$!x!',
    '!a}!x!',
  ])('takes %s', (text) => {
    expect(isSubstitution(Buffer.from(text))).toBe(true);
  });

  it.each([
    '',
    '!',
    '!a!x',
    '!a!x!j',
    '!a!x!ii',
    '!a!x!!',
    '!!x!',
    '1a1x1',
    'iaixi',
    '\\a\\x\\',
    '!(a!x!',
    '!a)!x!',
    '!()!x!',
    '!a||b!x!',
    '!|a!x!',
    '!a|!x!',
    '!*a!x!',
    '!^*!x!',
    '!a**!x!',
    '!a+?!x!',
    '!a{2,1}!x!',
    '!a{256}!x!',
    '!a{,2}!x!',
    '!a{!x!',
    '![a!x!',
    '![]!x!',
    '![z-a]!x!',
    '![a-c-e]!x!',
    '![[:foo:]]!x!',
    '![[.a.]]!x!',
    String.raw`!(a)\1!x!`,
    String.raw`!a!\1!`,
    String.raw`!(a)!\2!`,
    String.raw`!(a)!\0!`,
    '!a!x!\\',
    '!a\\',
    '!a\u0000!x!',
  ])('refuses %j, which BIND would refuse or others read in another way', (text) => {
    expect(isSubstitution(Buffer.from(text, 'latin1'))).toBe(false);
  });
});
