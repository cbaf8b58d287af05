import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FirstEntries } from './found-page.js';
import type { ListCursor } from './found-page.js';

const byKey = (one: ListCursor, other: ListCursor): number =>
  Number(one.key) - Number(other.key) || (one.id < other.id ? -1 : Number(one.id > other.id));

describe('the first of entries that come in any order', () => {
  it('6.7 equal the first of all entries sorted', () => {
    const entries = fc.uniqueArray(fc.record({ key: fc.integer({ min: 0, max: 9 }), id: fc.string() }), {
      selector: ({ id }) => id,
    });
    fc.assert(
      fc.property(entries, fc.nat(20), fc.nat(20), (all, offset, limit) => {
        const first = new FirstEntries(offset + limit, byKey);
        for (const entry of all) first.add(entry);
        expect(first.takeBehind(offset)).toEqual([...all].sort(byKey).slice(offset, offset + limit));
      }),
    );
  });
});
