import { describe, expect, it } from '@jest/globals';
import { draftOf, type Entry } from '../changes/pending.js';
import { record } from '../testing/record.js';
import { ttlOfMixedSet } from './set-ttl.js';

const ZONE_TTL = 3600;
const www = (id: string, ttl: number | null) => record(id, { name: 'www.example.org.', ttl });
const own = (ttl: number | null) => ({ key: 'own', name: 'WWW.example.org.', type: 'A', ttl });

describe('22.3 the TTL of a record set', () => {
  it('is shown where records of the set have different TTLs: the lowest explicit one', () => {
    const others = [www('a', 600), www('b', null)];
    expect(ttlOfMixedSet(own(300), others, [], ZONE_TTL)).toBe(300);
    expect(ttlOfMixedSet(own(7200), others, [], ZONE_TTL)).toBe(600);
    expect(ttlOfMixedSet(own(null), [www('a', 7200)], [], ZONE_TTL)).toBe(7200);
  });

  it('is nothing to say where they are alike, and of a record alone', () => {
    expect(ttlOfMixedSet(own(300), [], [], ZONE_TTL)).toBeNull();
    expect(ttlOfMixedSet(own(300), [www('own', 60), record('mail', { ttl: 60 })], [], ZONE_TTL)).toBeNull();
    expect(ttlOfMixedSet(own(null), [www('a', null), www('b', ZONE_TTL)], [], ZONE_TTL)).toBeNull();
  });

  it('includes the pending changes', () => {
    const [a, b] = [www('a', 60), www('b', 60)];
    const entries: Entry[] = [
      { action: 'delete', key: 'a', before: a },
      { action: 'update', key: 'b', before: b, record: { ...draftOf(b), ttl: 300 } },
    ];
    expect(ttlOfMixedSet(own(300), [a, b], entries, ZONE_TTL)).toBeNull();
    const made: Entry = { action: 'create', key: 'new', record: draftOf(www('new', 30)) };
    expect(ttlOfMixedSet(own(300), [a, b], [...entries, made], ZONE_TTL)).toBe(30);
  });
});
