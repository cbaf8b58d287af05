import { describe, expect, it } from '@jest/globals';
import { draftOf } from '../changes/pending.js';
import { record } from '../testing/record.js';
import { isFound } from './row.js';

const EVERYTHING = { q: '', name: '', type: '', sort: 'name' };
const www = draftOf(record('www', { description: 'Web server' }));

describe('22.2 records that are not stored yet', () => {
  it('are found as stored ones are: by name, data and comment, in any case', () => {
    for (const q of ['', 'WWW', '192.0.2', 'web SERVER']) expect(isFound(www, { ...EVERYTHING, q })).toBe(true);
    expect(isFound(www, { ...EVERYTHING, q: 'mail' })).toBe(false);
  });

  it('are of the name and the type that are asked for', () => {
    expect(isFound(www, { ...EVERYTHING, name: 'www.EXAMPLE.org.', type: 'A' })).toBe(true);
    expect(isFound(www, { ...EVERYTHING, name: 'example.org.' })).toBe(false);
    expect(isFound(www, { ...EVERYTHING, type: 'AAAA' })).toBe(false);
  });
});
