import { describe, expect, it } from '@jest/globals';
import type { StoredRecord } from '../api/types.js';
import { record } from '../testing/record.js';
import { changeSetOf, draftOf, type Entry, NOTHING_PENDING, withEntry, withoutEntry } from './pending.js';

const BASE = { etag: '"1"', serial: 1 };

const update = (before: StoredRecord, changed: object): Entry => ({
  action: 'update',
  key: before.id,
  before,
  record: { ...draftOf(before), ...changed },
});
const deletion = (before: StoredRecord): Entry => ({ action: 'delete', key: before.id, before });
const creation = (key: string): Entry => ({ action: 'create', key, record: draftOf(record(key)) });

describe('22.3 changes that are gathered', () => {
  it('are meant for the state that they were begun on', () => {
    const first = withEntry(NOTHING_PENDING, creation('a'), BASE);
    const second = withEntry(first, creation('b'), { etag: '"2"', serial: 2 });
    expect(second.base).toEqual(BASE);
    expect(second.entries.map(({ key }) => key)).toEqual(['a', 'b']);
    expect(withoutEntry(withoutEntry(second, 'a'), 'b')).toEqual(NOTHING_PENDING);
  });

  it('have one entry for each record, the last one', () => {
    const www = record('www');
    const changed = withEntry(
      withEntry(NOTHING_PENDING, update(www, { ttl: 60 }), BASE),
      update(www, { ttl: 90 }),
      BASE,
    );
    expect(changeSetOf(changed.entries)).toEqual({ changes: [{ action: 'update', id: 'www', record: { ttl: 90 } }] });
    expect(changeSetOf(withEntry(changed, deletion(www), BASE).entries)).toEqual({
      changes: [{ action: 'delete', id: 'www' }],
    });
  });

  it('vanish where they cancel out', () => {
    const www = record('www');
    const changed = withEntry(NOTHING_PENDING, update(www, { ttl: 60 }), BASE);
    expect(withEntry(changed, update(www, {}), BASE)).toEqual(NOTHING_PENDING);
  });

  it('send data by fields where it was entered so, and only where it differs', () => {
    const mx = record('mx', { type: 'MX', data: 'a.example.', priority: 5, fields: { exchange: 'a.example.' } });
    const [same] = [update(mx, { fields: { exchange: 'a.example.' }, data: 'A.example.', priority: 7 })];
    expect(changeSetOf([same])).toEqual({ changes: [{ action: 'update', id: 'mx', record: { priority: 7 } }] });
    const other = update(mx, { fields: { exchange: 'b.example.' } });
    expect(changeSetOf([other])).toEqual({
      changes: [{ action: 'update', id: 'mx', record: { fields: { exchange: 'b.example.' } } }],
    });
  });
});
