import { describe, expect, it } from '@jest/globals';
import { limitsOf } from './limits.js';

describe('the limits of a new API token', () => {
  it('22.9 are the entered ones, and absent where empty', () => {
    expect(limitsOf({ preset: 'zone', zone: ' example.org ' })).toEqual({ domains: ['example.org.'] });
    expect(limitsOf({ preset: 'zone', zone: 'bücher.example' })).toEqual({ domains: ['xn--bcher-kva.example.'] });
    expect(limitsOf({ preset: 'read' })).toEqual({ roles: ['reader'] });
    const custom = {
      preset: 'custom',
      domains: '',
      names: '_dmarc.*, a.example.org',
      types: 'txt',
      networks: '',
    } as const;
    expect(limitsOf({ ...custom, actions: ['create', 'update', 'delete'] })).toEqual({
      names: ['_dmarc.*', 'a.example.org.'],
      types: ['TXT'],
    });
    expect(limitsOf({ ...custom, names: '', types: '', actions: ['update'] })).toEqual({ actions: ['update'] });
  });
});
