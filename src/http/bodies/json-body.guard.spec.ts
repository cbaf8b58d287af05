import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hasRepeatedKey } from './json-body.guard.js';

describe('a key that comes twice', () => {
  it.each([
    '{"a":1,"a":1}',
    '{"a":1, "b":2 , "a" : 3}',
    '{"a":1,"\\u0061":2}',
    '{"":1,"":2}',
    '{"a\\"":1,"a\\"":2}',
    '{"a\\\\":1,"a\\\\":2}',
    '{"__proto__":1,"__proto__":2}',
    '[{"a":{"b":[{"c":1,"c":2}]}}]',
    '{"a":{"b":1},"a":2}',
    '{"a"\t\r\n :1,"a":2}',
  ])('is found in %s', (json) => {
    expect(hasRepeatedKey(json)).toBe(true);
  });

  it.each([
    '{}',
    '"a"',
    '["a","a"]',
    '{"a":"a","b":"a"}',
    '{"a":["a:","a"],"b":"{\\"a\\":1}"}',
    '{"a":1,"A":2,"a ":3}',
    '[{"a":1},{"a":2}]',
    '{"a":{"a":{"a":1}}}',
    '{"a\\\\":"\\"","b":"\\\\\\""}',
  ])('is not found in %s', (json) => {
    expect(hasRepeatedKey(json)).toBe(false);
  });

  it('is found in nothing that JSON.stringify wrote', () => {
    fc.assert(fc.property(fc.json(), (json) => !hasRepeatedKey(json)));
  });

  it('is found in everything that JSON.parse shortens', () => {
    const entry = fc.tuple(fc.string({ maxLength: 2 }), fc.constantFrom('1', '"a"', '[{}]', '{"a":"a"}'));
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const json = `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
        expect(hasRepeatedKey(json)).toBe(Object.keys(JSON.parse(json) as object).length < entries.length);
      }),
    );
  });
});
