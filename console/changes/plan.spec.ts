import { describe, expect, it } from '@jest/globals';
import { record } from '../testing/record.js';
import type { Entry } from './pending.js';
import { draftOf } from './pending.js';
import { dangerOf, percentOf, rowsOfDifferences, rowsOfRefusal } from './plan.js';

const deletion = (id: string, changed: object = {}): Entry => ({
  action: 'delete',
  key: id,
  before: record(id, changed),
});
const creation = (name: string): Entry => ({ action: 'create', key: name, record: { ...draftOf(record('x')), name } });

describe('22.3 the plan', () => {
  it('is in the order of a zone: the apex first, names compared from the right', () => {
    const names = ['b.a.example.org.', 'z.example.org.', 'a.example.org.', 'example.org.'];
    const { rows } = rowsOfRefusal(names.map(creation), []);
    expect(rows.map(({ after }) => after?.name)).toEqual([
      'example.org.',
      'a.example.org.',
      'b.a.example.org.',
      'z.example.org.',
    ]);
  });

  it('shows refusals at their row, and other faults above the table', () => {
    const { rows, general } = rowsOfRefusal(
      [creation('a.example.org.'), creation('b.example.org.')],
      [
        { path: 'changes[1].record.data', message: 'no address', validator: 'format', code: 'format', params: {} },
        { path: '', message: 'too many', validator: 'maximum', code: 'maximum', params: {} },
      ],
    );
    expect(rows.map(({ errors }) => errors)).toEqual([[], ['no address']]);
    expect(general).toEqual(['too many']);
  });

  it('wants the name of the zone typed for a large share, and for the last NS or MX record', () => {
    const rows = rowsOfDifferences(
      [1, 2, 3, 4].map((n) => ({ action: 'delete', before: record(`r${n}`), after: null })),
    );
    expect(dangerOf(rows, { total: 12, by_type: { A: 12 } })).toEqual({ kind: 'share', percent: 33 });
    expect(dangerOf(rows, { total: 10, by_type: { A: 10 } })).toBeNull();
    expect(percentOf(rows, { total: 16, by_type: {} })).toBe(25);
    const last = rowsOfRefusal([deletion('mx', { type: 'MX' })], []).rows;
    expect(dangerOf(last, { total: 5, by_type: { MX: 1 } })).toEqual({ kind: 'last', type: 'MX' });
    expect(dangerOf(last, { total: 5, by_type: { MX: 2 } })).toBeNull();
  });
});
