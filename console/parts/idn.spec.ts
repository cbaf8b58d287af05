import { describe, expect, it } from '@jest/globals';
import { asciiOf, readableOf } from './idn.js';

describe('22.2 names with letters of other scripts', () => {
  it.each([
    ['xn--bcher-kva.example.', 'bücher.example.'],
    ['www.xn--wgv71a119e.example.', 'www.日本語.example.'],
    ['_x.xn--n3h.example.', '_x.☃.example.'],
  ])('reads %s as %s, and writes it so', (ascii, readable) => {
    expect(readableOf(ascii)).toBe(readable);
    expect(asciiOf(readable)).toBe(ascii);
  });

  it.each(['www.example.', 'xn--.example.', 'xn--zzzzzzzzzz99999.example.', 'xn--a-.example.', 'xn--\u00fc.'])(
    'reads %s as it is',
    (name) => {
      expect(readableOf(name)).toBeNull();
    },
  );

  it.each(['www.example.org.', '_acme-challenge', '@', '', '*.example'])('writes %s unchanged', (name) => {
    expect(asciiOf(name)).toBe(name);
  });
});
