import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { DomainName } from './name.js';
import {
  isKeyOf,
  isKeyWithin,
  isWildcardKey,
  keyAbove,
  type KeyRange,
  keysBelow,
  keysOnPath,
  keysWithin,
  wildcardKey,
  wireOfKey,
} from './name-key.js';

const keyOf = (text: string): string => DomainName.parse(text).key;

describe('the key of a name', () => {
  it.each([
    ['.', ''],
    ['org.', 'org'],
    ['WWW.Example.ORG.', 'org example www'],
    ['*.example.org.', 'org example *'],
    [String.raw`a\032b.x\!.org.`, 'org x!21 a!20b'],
    [String.raw`\000.\255.~.`, '~7e ~ff !00'],
  ])('of %s is %j', (name, key) => {
    expect(keyOf(name)).toBe(key);
  });
});

describe('isKeyOf', () => {
  const names = ['.', 'org.', 'WWW.Example.ORG.', 'www.example.org.', 'a.bc.org.', 'ab.c.org.', 'xample.org.'];
  const others = ['*.example.org.', String.raw`a\032b.x\!.org.`, String.raw`\000.\255.~.`, 'w.w.w.example.org.'];

  it('gives each name a distinct key', () => {
    for (const one of [...names, ...others])
      for (const other of [...names, ...others])
        expect(isKeyOf(keyOf(one), DomainName.parse(other).wire)).toBe(keyOf(one) === keyOf(other));
  });

  it.each(['', ' ', 'org ', ' org', 'org  example', 'org examplf', 'org example www x'])('refuses %j', (text) => {
    expect(isKeyOf(text, DomainName.parse('www.example.org.').wire)).toBe(false);
  });
});

describe('isKeyWithin', () => {
  it.each([
    ['org example', 'org example', true],
    ['org example www', 'org example', true],
    ['org examples', 'org example', false],
    ['org', 'org example', false],
    ['', 'org', false],
    ['org', '', true],
    ['', '', true],
  ])('%j in %j: %j', (key, ancestor, within) => {
    expect(isKeyWithin(key, ancestor)).toBe(within);
  });
});

describe('keyAbove', () => {
  it.each([
    ['org example www', 'org example'],
    ['org', ''],
    ['', ''],
  ])('of %j is %j', (key, above) => {
    expect(keyAbove(key)).toBe(above);
  });
});

describe('keysOnPath', () => {
  it.each([
    ['org', 'org example www', ['org', 'org example', 'org example www']],
    ['org example', 'org example', ['org example']],
    ['', 'org example', ['', 'org', 'org example']],
    ['', '', ['']],
  ])('from %j to %j', (ancestor, key, keys) => {
    expect(keysOnPath(ancestor, key)).toEqual(keys);
  });
});

describe('wildcards', () => {
  it.each([
    ['', '*'],
    ['org example', 'org example *'],
  ])('below %j stands %j', (key, wildcard) => {
    expect(wildcardKey(key)).toBe(wildcard);
    expect(isWildcardKey(wildcard)).toBe(true);
    expect(isWildcardKey(key)).toBe(false);
  });

  it('have a label of their own', () => {
    expect(['org example a*', 'org * example', '**'].map(isWildcardKey)).toEqual([false, false, false]);
  });
});

describe('any key', () => {
  /** Few different labels, so that names often lie within each other; among them the octets around the separator. */
  const label = fc.constantFrom('a', 'b', 'ab', '*', '\0', ' ', '!', '"', '}', '~', '\x7f', '\xff', 'a!', 'a ');
  const name = fc
    .array(label, { maxLength: 4 })
    .map((labels) => labels.map((text) => String.fromCharCode(text.length) + text).join('') + '\0')
    .map((wire) => DomainName.read(Buffer.from(wire, 'latin1')));

  it('lies in the ranges of DomainName', () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(isKeyWithin(a.key, b.key)).toBe(a.isWithin(b));
        expect(isIn(a.key, keysWithin(b.key))).toBe(a.isWithin(b));
        expect(isIn(a.key, keysBelow(b.key))).toBe(a.isWithin(b) && !a.equals(b));
      }),
      { numRuns: 2000 },
    );
  });

  it('has a path of one key for each label, each above the next', () => {
    fc.assert(
      fc.property(name, ({ key, labelCount }) => {
        const path = keysOnPath('', key);
        expect(path).toHaveLength(labelCount + 1);
        expect(path.at(-1)).toBe(key);
        for (const [at, each] of path.entries()) {
          expect(keyAbove(each)).toBe(path[Math.max(0, at - 1)]);
          expect(keysOnPath(each, key)).toEqual(path.slice(at));
        }
      }),
    );
  });

  it('is a wildcard where its first label is *', () => {
    fc.assert(
      fc.property(name, ({ key, labels: [first] }) => {
        expect(isWildcardKey(key)).toBe(first !== undefined && Buffer.from(first).toString('latin1') === '*');
      }),
    );
  });
});

function isIn(key: string, [from, to]: KeyRange): boolean {
  return key >= from && key < to;
}

describe('wireOfKey', () => {
  it.each(['.', 'org.', 'www.example.org.', '*.example.org.', 'a\\.b.\\000\\033\\126\\255.example.'])(
    'reads the key of %s',
    (text) => {
      const name = DomainName.parse(text);
      expect(DomainName.read(wireOfKey(name.key)).toString()).toBe(name.toString());
    },
  );
});
