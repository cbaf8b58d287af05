import { describe, expect, it } from '@jest/globals';
import { authorName, initialsOf } from './author-name.js';

const actor = { tenant_id: 'acme', token_id: '019aa5f4-9c1e-7a2c-8000-1b0c4de6f7a8', user: null };

describe('22.5 authors of changes', () => {
  it('has the user, else the description of the token, else its ID', () => {
    expect(authorName({ ...actor, user: 'anna', token_description: 'deploy' }, 'acme')).toBe('anna');
    expect(authorName({ ...actor, token_description: 'deploy' }, 'acme')).toBe('deploy');
    expect(authorName(actor, 'acme')).toBe('token 019aa5f4');
    expect(authorName(null, 'acme')).toBe('the service');
  });

  it('names only a tenant that is not the own one', () => {
    expect(authorName({ ...actor, token_description: 'deploy' }, 'other')).toBe('deploy (acme)');
    expect(authorName({ ...actor, token_id: null }, 'other')).toBe('acme');
  });

  it.each([
    ['Anna Lindqvist', 'AL'],
    ['deploy', 'D'],
    ['<b>x</b>', 'BB'],
    ['***', ''],
  ])('%s has the initials %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});
