import { describe, expect, it } from '@jest/globals';
import { limitsOf } from './limits.js';

describe('22.9 the limits of a new token', () => {
  it('for certificates are the challenges of the hosts, in whichever zones they are', () => {
    expect(limitsOf({ preset: 'acme', hosts: '*.example.org\nexample.org.' }, null)).toEqual({
      domains: ['_acme-challenge.example.org.', 'example.org.', 'org.'],
      names: ['_acme-challenge.example.org.'],
      types: ['TXT'],
      actions: ['create', 'delete'],
    });
    expect(limitsOf({ preset: 'acme', hosts: 'www.example.org' }, ['Example.org.', 'other.'])).toMatchObject({
      domains: ['example.org.'],
    });
  });

  it('of others are what was entered, and nothing where nothing was', () => {
    expect(limitsOf({ preset: 'zone', zone: ' example.org ' }, null)).toEqual({ domains: ['example.org.'] });
    expect(limitsOf({ preset: 'read' }, null)).toEqual({ roles: ['reader'] });
    const custom = {
      preset: 'custom',
      domains: '',
      names: '_dmarc.*, a.example.org',
      types: 'txt',
      networks: '',
    } as const;
    expect(limitsOf({ ...custom, actions: ['create', 'update', 'delete'] }, null)).toEqual({
      names: ['_dmarc.*', 'a.example.org.'],
      types: ['TXT'],
    });
    expect(limitsOf({ ...custom, names: '', types: '', actions: ['update'] }, null)).toEqual({ actions: ['update'] });
  });
});
