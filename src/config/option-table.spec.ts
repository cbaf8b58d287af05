import { describe, expect, it } from '@jest/globals';

import { nearest } from './option-table.js';

describe('the nearest name', () => {
  const names = ['listen', 'workers', 'docs', 'url', 'enable_api_admin'];

  it.each([
    ['listen', 'listen'],
    ['lisen', 'listen'],
    ['LISTEN', 'listen'],
    ['worker', 'workers'],
    ['ulr', 'url'],
    ['enable_admin', undefined],
    ['enable_apiadmn', 'enable_api_admin'],
    ['foobar', undefined],
    ['', undefined],
    ['x'.repeat(10_000), undefined],
  ])('of %s is %s', (text, expected) => {
    expect(nearest(text, names)).toBe(expected);
  });

  it('of nothing is nothing', () => {
    expect(nearest('listen', [])).toBeUndefined();
  });
});
