import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type NamePattern, parseNamePattern, PatternError } from './name-pattern.js';
import { processorTime } from '../../../test/support/processor-time.js';

const matches = async (pattern: string, name: string): Promise<boolean> => (await parseNamePattern(pattern))(name);

describe('a pattern of names', () => {
  it.each([
    ['example.org.', 'www.example.org.'],
    ['EXAMPLE', 'www.example.org.'],
    ['^example\\.org\\.$', 'Example.ORG.'],
    ['^(www|mail)\\.', 'mail.example.org.'],
    ['^a{2,3}\\.', 'aaa.example.org.'],
    ['^a{,2}\\.', 'aa.example.org.'],
    ['^[^a-y]+\\.org', 'zz.org.'],
    ['\\bsex\\b', 'www.sex.example.'],
    ['(?i)^S?EX\\.', 'ex.example.'],
    ['^(?P<host>\\w+)\\.(?:com|net)\\.', 'a_1.net.'],
    ['[]x]', 'x.'],
    ['[a-]-', 'a--b.'],
    ['\\x41\\d', 'a7.'],
    ['.*', '.'],
    ['', 'example.org.'],
    ['a|', 'example.org.'],
    ['a{x}|b', 'b.'],
    ['\\Aexample.*\\Z', 'example.org.'],
    ['(a*)*b', 'aaab.'],
    ['^b{,}[{,1}]$', 'b1'],
    ['^[{,1}]$', '1'],
  ])('%s is found in %s', async (pattern, name) => {
    expect(await matches(pattern, name)).toBe(true);
  });

  it.each([
    ['^example\\.org\\.$', 'www.example.org.'],
    ['^a{2,3}\\.', 'aaaa.example.org.'],
    ['^[^A]', 'a.org.'],
    ['\\Bsex', 'www.sex.example.'],
    ['\\W', 'example'],
    ['^[{,1}]$', '0'],
  ])('%s is not found in %s', async (pattern, name) => {
    expect(await matches(pattern, name)).toBe(false);
  });

  it.each([
    '(',
    ')',
    '*a',
    '#(*&^%$%$#@$',
    'a**',
    'a{2}{3}',
    'a{3,2}',
    'a{999}',
    '[a',
    '[z-a]',
    '\\',
    '\\q',
    '(a)\\1',
    '(?=a)b',
    '(?!a)b',
    '(?<=a)b',
    '(?<!a)b',
    '(?P=a)',
    '(?>a)',
    'ö',
    '(.?){255}'.repeat(20),
    '((((a{200}){200}){200}){200})',
    '((((){255}){255}){255}){255}',
  ])('%s is none', async (pattern) => {
    await expect(parseNamePattern(pattern)).rejects.toThrow(PatternError);
  });

  it('takes at most its length times that of the name', async () => {
    const name = `${'a'.repeat(253)}.`;
    const begun = processorTime();
    for (const pattern of ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^(.*a){30}$', '^(([a-z])+.)+[A-Z]([a-z])+$'])
      expect(await matches(pattern, name)).toBe(false);
    expect(processorTime() - begun).toBeLessThan(1000);
  });

  const atom = fc.constantFrom('a', 'b', '.', '\\.', '[ab]', '[^a]', '\\w', '\\d', '-', '\\b');
  const { pattern } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
    term: fc.oneof(
      { depthSize: 'small' },
      atom,
      fc
        .tuple(tie('pattern'), fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}', '{0,}', '*?'))
        .map(([inner, quantifier]) => `(?:${inner})${quantifier}`),
    ),
    pattern: fc.oneof(
      fc.array(tie('term'), { maxLength: 4 }).map((terms) => terms.join('')),
      fc.tuple(tie('term'), tie('term')).map(([left, right]) => `${left}|${right}`),
      tie('term').map((term) => `^${term}$`),
    ),
  }));

  it('matches like JavaScript regular expressions', async () => {
    await fc.assert(
      fc.asyncProperty(
        pattern,
        fc.string({ unit: fc.constantFrom('a', 'B', '.', '-', '1'), maxLength: 8 }),
        async (text, name) => {
          let own: NamePattern;
          try {
            own = await parseNamePattern(text);
          } catch (error) {
            expect(error).toBeInstanceOf(PatternError);
            return;
          }
          expect(own(name)).toBe(new RegExp(text, 'i').test(name));
        },
      ),
      { numRuns: 3000 },
    );
  });
});
