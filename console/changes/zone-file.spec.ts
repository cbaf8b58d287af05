import { describe, expect, it } from '@jest/globals';
import { record } from '../testing/record.js';
import { draftOf, type Entry, type RecordDraft } from './pending.js';
import { beyondFiles, needsWholeZone, zoneFileOf } from './zone-file.js';

const update = (id: string, changed: Partial<RecordDraft>, stored: object = {}): Entry => {
  const before = record(id, stored);
  return { action: 'update', key: id, before, record: { ...draftOf(before), ...changed } };
};
const creation = (changed: Partial<RecordDraft>): Entry => ({
  action: 'create',
  key: 'new',
  record: { ...draftOf(record('x')), description: null, ...changed },
});
const deletion = (id: string): Entry => ({ action: 'delete', key: id, before: record(id) });

describe('22.3 changes as a zone file', () => {
  it('are added to the zone where they are new records and TTLs alone', () => {
    const entries = [creation({ name: 'a.example.org.', data: '192.0.2.1', ttl: null }), update('b', { ttl: 60 })];
    expect(needsWholeZone(entries)).toBe(false);
    const { mode, text } = zoneFileOf(entries, null, 3600);
    expect(mode).toBe('merge');
    const { name, type, data } = record('b');
    expect(text).toBe(`a.example.org. 3600 IN A 192.0.2.1\n${name} 60 IN ${type} ${data}\n`);
  });

  it('contain the whole zone for deletions, with priorities and untouched records', () => {
    const mail = { type: 'MX', name: 'example.org.', data: 'mail.example.org.', priority: 10, ttl: 300 };
    const zone = [record('gone'), record('mail', mail)];
    const entries = [deletion('gone')];
    expect(needsWholeZone(entries)).toBe(true);
    expect(zoneFileOf(entries, zone, 3600)).toEqual({
      mode: 'replace',
      text: 'example.org. 300 IN MX 10 mail.example.org.\n',
    });
  });

  it('are refused where a file would lose something', () => {
    expect(beyondFiles([creation({ description: 'why' })])).toBe(1);
    expect(beyondFiles([update('a', { description: 'other' }, { description: 'why' })])).toBe(1);
    expect(beyondFiles([update('a', { data: '192.0.2.9' }, { description: 'why' })])).toBe(1);
    expect(beyondFiles([creation({ data: '' })])).toBe(1);
    const fine = [update('a', { ttl: 60 }, { description: 'why' }), deletion('b'), update('c', { data: '192.0.2.9' })];
    expect(beyondFiles(fine)).toBe(0);
  });
});
