import { describe, expect, it } from '@jest/globals';
import { draftOf } from '../changes/pending.js';
import { record } from '../testing/record.js';
import { isFound } from './row.js';

const EVERYTHING = { q: '', name: '', type: '', sort: 'name' };
const www = draftOf(record('www', { description: 'Web server' }));

describe('22.2 records that are not stored yet', () => {
  it('are found as stored ones are: by name, data and comment, in any case', () => {
    for (const q of ['', 'WWW', '192.0.2', 'web SERVER']) expect(isFound(www, { ...EVERYTHING, q }, 3600)).toBe(true);
    expect(isFound(www, { ...EVERYTHING, q: 'mail' }, 3600)).toBe(false);
  });

  it('are of the name and the type that are asked for', () => {
    expect(isFound(www, { ...EVERYTHING, name: 'www.EXAMPLE.org.', type: 'A' }, 3600)).toBe(true);
    expect(isFound(www, { ...EVERYTHING, name: 'example.org.' }, 3600)).toBe(false);
    expect(isFound(www, { ...EVERYTHING, type: 'AAAA' }, 3600)).toBe(false);
  });

  it('have the TTL of the zone unless they have their own, and one of several types', () => {
    expect(isFound(www, { ...EVERYTHING, ttl_above: '3599', ttl_below: '3601' }, 3600)).toBe(true);
    expect(isFound(www, { ...EVERYTHING, ttl_below: '3600' }, 3600)).toBe(false);
    expect(isFound(www, { ...EVERYTHING, type: 'MX,A', updated_since: '2027-01-01T00:00:00Z' }, 3600)).toBe(true);
    expect(isFound(www, { ...EVERYTHING, data: '192.0.2' }, 3600)).toBe(false);
  });
});
