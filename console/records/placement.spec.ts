import { describe, expect, it } from '@jest/globals';
import type { ListedRecord } from '../api/types.js';
import { draftOf } from '../changes/pending.js';
import { record } from '../testing/record.js';
import { placed, rowOrNumber } from './placement.js';
import { newRow, type Row } from './row.js';

const stored = (...names: string[]): ListedRecord[] =>
  names.map((name) => ({ ...record(name, { name }), tenant_id: 'acme', version: 1 }));
const made = (name: string): Row => newRow({ action: 'create', key: name, record: draftOf(record('new', { name })) });
const NAMES = ['example.org.', 'a.example.org.', 'host2.example.org.', 'host10.example.org.', 'www.example.org.'];

function shown(created: readonly string[], sort: string, names: readonly string[], isAll = true): string[] {
  const records = stored(...names);
  const places = placed(created.map(made), sort, records, isAll);
  return Array.from({ length: names.length + created.length }, (_, index) => {
    const found = rowOrNumber(places, index);
    return typeof found === 'number' ? (records[found]?.name ?? '?') : `+${found.shown.name}`;
  }).map((name) => name.replace(/\.?example\.org\.$/, ''));
}

describe('22.2 the places of new records', () => {
  it('are by name, in the natural order, behind records of the same name', () => {
    const created = ['z.example.org.', 'host9.example.org.', 'A.example.org.', 'sub.a.example.org.', 'example.org.'];
    expect(shown(created, 'name', NAMES)).toEqual([
      '',
      '+',
      'a',
      '+A',
      '+sub.a',
      'host2',
      '+host9',
      'host10',
      'www',
      '+z',
    ]);
    expect(shown(['host9.example.org.'], '-name', NAMES.toReversed())).toEqual([
      'www',
      'host10',
      '+host9',
      'host2',
      'a',
      '',
    ]);
  });

  it('are at the top in other orders, and if their place is not loaded', () => {
    expect(shown(['b.example.org.'], 'ttl', NAMES)[0]).toBe('+b');
    expect(shown(['z.example.org.', 'y.example.org.'], 'name', NAMES, false).slice(0, 2)).toEqual(['+z', '+y']);
    expect(shown(['b.example.org.'], 'name', NAMES, false).indexOf('+b')).toBe(2);
    expect(shown(['b.example.org.'], 'name', [])).toEqual(['+b']);
  });
});
