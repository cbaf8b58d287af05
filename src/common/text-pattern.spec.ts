import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TextPattern } from './text-pattern.js';

describe('TextPattern', () => {
  it.each([
    ['abc', 'ABC', true],
    ['abc', 'abcd', false],
    ['abc', 'ab', false],
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['**', 'anything', true],
    ['a*', 'A', true],
    ['*a', 'bA', true],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['*ab*ab*', 'aab', false],
    ['*ab*ab*', 'xabab', true],
    ['ab*bc', 'abc', false],
    ['*aab*', 'aaab', true],
    ['*abab*x', 'abaababx', true],
    ['*%_!*', '100%_!', true],
    ['ä*', 'Ä', false],
    ['*\u0000*', 'a\u0000b', false],
    ['*\uD800*', '\uD800\uDC00', false],
    ['*\uD83D\uDE00*', 'a\uD83D\uDE00b', true],
  ])('says of %j and %j: %s', (pattern, text, expected) => {
    expect(new TextPattern(pattern).matches(text)).toBe(expected);
  });

  it('matches like a regular expression', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '.'), maxLength: 12 });
    const patterns = fc.string({ unit: fc.constantFrom('a', 'b', 'B', '.', '*'), maxLength: 8 });
    fc.assert(
      fc.property(patterns, letters, (pattern, text) => {
        const source = pattern.split('*').map((piece) => piece.replaceAll('.', '\\.'));
        const expected = new RegExp(`^${source.join('.*')}$`, 'i').test(text);
        expect(new TextPattern(pattern).matches(text)).toBe(expected);
      }),
    );
  });

  it('accepts patterns with a wildcard of up to 1024 characters', () => {
    expect(new TextPattern(`*${'a'.repeat(1023)}`).matches('a'.repeat(2000))).toBe(true);
    expect(() => new TextPattern(`*${'a'.repeat(1024)}`)).toThrow('at most 1024 characters');
    expect(new TextPattern('a'.repeat(2000)).matches('A'.repeat(2000))).toBe(true);
  });

  it('visits each character of a text a few times at most, for any text and pattern', () => {
    const text = new CountedText('a'.repeat(20_000));
    // A look-up that begins again at each place would take 20 million steps.
    expect(new TextPattern(`*${'a'.repeat(1000)}b*`).matches(text as unknown as string)).toBe(false);
    expect(text.looks).toBeLessThan(2 * 20_000);
  });
});

/** A text that counts how often it is looked at. */
class CountedText {
  looks = 0;

  constructor(private readonly text: string) {}

  get length(): number {
    return this.text.length;
  }

  charCodeAt(at: number): number {
    this.looks += 1;
    return this.text.charCodeAt(at);
  }
}
