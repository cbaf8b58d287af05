import { describe, expect, it } from '@jest/globals';
import { record } from '../testing/record.js';
import { draftOf, type Entry } from './pending.js';
import { createdAnew, rebased, touchedByOthers } from './rebase.js';

const BASE = { etag: '"1"', serial: 1 };
const NOW = { etag: '"2"', serial: 2 };
const www = record('www');
const theirs = record('www', { ttl: 99 });
const update: Entry = { action: 'update', key: 'www', before: www, record: { ...draftOf(www), data: '192.0.2.9' } };
const deletion: Entry = { action: 'delete', key: 'www', before: www };

describe('22.4 rebasing changes onto changes by others', () => {
  it('show the current records, and change only the edited fields', () => {
    const since = [{ action: 'update' as const, before: www, after: theirs }];
    const { pending, gone } = rebased({ base: BASE, entries: [update] }, since, NOW);
    const merged = { ...draftOf(theirs), data: '192.0.2.9', expires_at: null };
    expect(pending).toEqual({ base: NOW, entries: [{ ...update, before: theirs, record: merged }] });
    const same = [{ action: 'update' as const, before: www, after: { ...www, data: '192.0.2.9' } }];
    expect(rebased({ base: BASE, entries: [update] }, same, NOW).pending.entries).toEqual([]);
    expect(gone.size).toBe(0);
    expect([...touchedByOthers([update], since)]).toEqual(['www']);
  });

  it('keep an update of a deleted record for the user to decide, and drop its deletion', () => {
    const since = [{ action: 'delete' as const, before: www, after: null }];
    const { pending, gone } = rebased({ base: BASE, entries: [update] }, since, NOW);
    expect([...gone]).toEqual(['www']);
    expect(createdAnew(pending.entries[0]!)).toEqual({ action: 'create', key: 'www', record: update.record });
    expect(rebased({ base: BASE, entries: [deletion] }, since, NOW).pending.entries).toEqual([]);
  });
});
