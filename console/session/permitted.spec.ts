import { describe, expect, it } from '@jest/globals';
import type { Whoami } from '../api/types.js';
import { hasRecordSet, inSecondary, permittedAt, permittedTo } from './permitted.js';

const UNLIMITED = { domains: null, names: null, types: null, actions: null, networks: null };
const holding = (limits: Partial<Whoami['limits']>, others: Partial<Whoami> = {}): Whoami =>
  ({ tenant_id: 'acme', roles: ['member'], limits: { ...UNLIMITED, ...limits }, ...others }) as Whoami;

describe('the permissions of a credential', () => {
  it('limit records by name and type', () => {
    const may = permittedTo(holding({ names: ['_acme-challenge.*', 'www.example.org.'], types: ['TXT'] }));
    expect(hasRecordSet(may, { name: '_acme-challenge.www.Example.org.', type: 'TXT' })).toBe(true);
    expect(hasRecordSet(may, { name: 'WWW.example.org.', type: 'TXT' })).toBe(true);
    expect(hasRecordSet(may, { name: 'www.example.org.', type: 'A' })).toBe(false);
    expect(hasRecordSet(may, { name: 'a._acme-challenge.example.org.', type: 'TXT' })).toBe(false);
    expect(permittedAt(may, { name: 'www.example.org.', type: 'A' }).update).toBe(false);
    expect(permittedAt(may, { name: 'www.example.org.', type: 'TXT' }).update).toBe(true);
    expect([may.undo, may.editZone, may.makeZones]).toEqual([false, false, false]);
  });

  it('match patterns with several wildcards', () => {
    const may = permittedTo(holding({ names: ['*.dev.*.example.org.'] }));
    const has = (name: string): boolean => hasRecordSet(may, { name, type: 'A' });
    expect(has('a.dev.b.example.org.')).toBe(true);
    expect(has('a.dev.example.org.')).toBe(false);
    expect(has('a.dev.b.example.org.evil.')).toBe(false);
  });

  it('permit undo to a token without limits on records', () => {
    expect(permittedTo(holding({ domains: ['example.org.'] })).undo).toBe(true);
    expect(permittedTo(holding({ actions: ['create'] })).undo).toBe(false);
  });

  it('permit nothing to readers and to admins without a tenant', () => {
    expect(permittedTo(holding({}, { roles: ['reader'] })).create).toBe(false);
    expect(permittedTo(holding({}, { tenant_id: null, roles: ['admin'] })).create).toBe(false);
  });

  it('permit only the deletion of a secondary zone', () => {
    const may = inSecondary(permittedTo(holding({})));
    expect([may.create, may.update, may.delete, may.editZone, may.undo]).toEqual([false, false, false, false, false]);
    expect(may.deleteZone).toBe(true);
  });
});
