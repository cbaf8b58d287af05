import { describe, expect, it } from '@jest/globals';

import { isSubstitution } from './naptr-substitution.js';

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
