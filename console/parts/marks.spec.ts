import { describe, expect, it } from '@jest/globals';
import { returnPath } from '../session/return-path.js';
import { piecesOf } from './marks.js';

describe('22.2 text of others', () => {
  it('shows marks for invisible characters', () => {
    expect(piecesOf('a\u202eb\u0007')).toEqual([{ text: 'a' }, { mark: '202E' }, { text: 'b' }, { mark: '0007' }]);
    expect(piecesOf('')).toEqual([{ text: '' }]);
    expect(piecesOf('ß 😀 <b>')).toEqual([{ text: 'ß 😀 <b>' }]);
    expect(piecesOf('\ud800x')).toEqual([{ mark: 'D800' }, { text: 'x' }]);
  });
});

describe('22.1 where a sign-in leads', () => {
  it('is a path below /console', () => {
    expect(returnPath('/zones/example.org./records?q=a&type=MX')).toBe('/zones/example.org./records?q=a&type=MX');
    for (const evil of [
      null,
      '',
      'zones',
      '//evil.example',
      '/\\evil.example',
      '/\tevil',
      'https://evil.example',
      '/sign-in',
      '/a\\b',
      'javascript:alert(1)',
    ])
      expect(returnPath(evil)).toBe('/zones');
  });
});
