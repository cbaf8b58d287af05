import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isPatternWithin, matchesPattern } from './name-pattern.js';
import { processorTime } from '../../../test/support/processor-time.js';

const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 8 });
const name = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 10 });

/** The same, said slowly. */
function expected(pattern: string, of: string): boolean {
  const source = pattern.replace(/[.*]/g, (character) => (character === '*' ? '.*' : '\\.'));
  return new RegExp(`^${source}$`).test(of);
}

/** With other text for some of its stars. */
function filled(pattern: string, texts: readonly string[]): string {
  let next = 0;
  return pattern.replaceAll('*', () => texts[next++] ?? '*');
}

describe('patterns of owner names', () => {
  it.each([
    ['_acme-challenge.*', '_acme-challenge.example.org.', true],
    ['_acme-challenge.*', '_acme-challenge.www.example.org.', true],
    ['_acme-challenge.*', 'x_acme-challenge.example.org.', false],
    ['_acme-challenge.*', '_acme-challenges.example.org.', false],
    ['*.example.org.', '*.example.org.', true],
    ['*.example.org.', 'example.org.', false],
    ['www.example.org.', 'www.example.org.', true],
    ['www.example.org.', 'www-example.org.', false],
    ['a*a.', 'a.', false],
    ['*', 'www.example.org.', true],
  ])('14.2 %s and %s: %s', (pattern, of, matches) => {
    expect(matchesPattern(pattern, of)).toBe(matches);
  });

  it('14.2 match like the equivalent regular expression', () => {
    fc.assert(fc.property(text, name, (pattern, of) => matchesPattern(pattern, of) === expected(pattern, of)));
  });

  it('14.2 lie within another only where all of their names do', () => {
    fc.assert(
      fc.property(text, fc.array(text), fc.array(name), (wider, patterns, names) => {
        // Half of the samples are narrower, and half of them nearly.
        const narrower = filled(wider, patterns);
        const of = filled(narrower, names);
        return !isPatternWithin(narrower, wider) || !matchesPattern(narrower, of) || matchesPattern(wider, of);
      }),
      { numRuns: 1000 },
    );
  });

  it('14.2 (attack case 78) take bounded time for any pattern', () => {
    const pattern = `${'*a'.repeat(127)}*`;
    const began = processorTime();
    for (let round = 0; round < 1000; round += 1) matchesPattern(pattern, `${'a'.repeat(120)}${'b'.repeat(134)}.`);
    expect(processorTime() - began).toBeLessThan(1000);
  });
});
