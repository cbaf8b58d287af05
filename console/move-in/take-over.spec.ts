import { describe, expect, it } from '@jest/globals';
import { record } from '../testing/record.js';
import { entriesFor } from './take-over.js';

const ZONE = { ttl: 3600 };
const newKey = (): string => 'new';
const set = (type: string, ttl: number, ...data: string[]) => ({ name: 'a.example.org.', type, ttl, data });

describe('22.17 the answer of an old name server becomes pending changes', () => {
  it('replaces other data and keeps equal data', () => {
    const [kept, other] = [record('a', { ttl: 60 }), record('b', { data: '192.0.2.2', ttl: 60 })];
    expect(entriesFor(set('A', 60, '192.0.2.1', '192.0.2.3'), [kept, other], ZONE, newKey)).toEqual([
      { key: 'b', action: 'delete', before: other },
      {
        ...{ key: 'new', action: 'create' },
        record: { name: 'a.example.org.', type: 'A', data: '192.0.2.3', priority: null, ttl: 60, description: null },
      },
    ]);
  });

  it('changes a TTL only, and takes that of the zone for an equal one', () => {
    const [own, ofZone] = [record('a', { ttl: 60 }), record('a')];
    expect(entriesFor(set('A', 3600, '192.0.2.1'), [own], ZONE, newKey)).toMatchObject([
      { key: 'a', action: 'update', record: { ttl: null } },
    ]);
    expect(entriesFor(set('A', 3600, '192.0.2.1'), [ofZone], ZONE, newKey)).toEqual([]);
  });

  it('reads the priority of an MX, and compares names in any case', () => {
    const mx = record('a', { type: 'MX', data: 'Mail.example.org.', priority: 10 });
    expect(entriesFor(set('MX', 3600, '10 mail.example.org.'), [mx], ZONE, newKey)).toEqual([]);
    expect(entriesFor(set('MX', 3600, '20 mail.example.org.'), [mx], ZONE, newKey)).toMatchObject([
      { action: 'delete' },
      { action: 'create', record: { data: 'mail.example.org.', priority: 20 } },
    ]);
  });

  it('takes an alias in place of addresses, and removes records that are not there', () => {
    const a = record('a');
    expect(entriesFor(set('CNAME', 3600, 'b.example.org.'), [a], ZONE, newKey)).toMatchObject([
      { action: 'delete', before: a },
      { action: 'create', record: { type: 'CNAME', data: 'b.example.org.' } },
    ]);
    expect(entriesFor(null, [a], ZONE, newKey)).toEqual([{ key: 'a', action: 'delete', before: a }]);
  });
});
