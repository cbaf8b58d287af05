import { describe, expect, it } from '@jest/globals';
import { filtersIn, NO_FILTERS, sinceOf, validFilters } from './filters.js';

const TYPES = new Set(['A', 'MX', 'TXT']);
const read = (text: string) => filtersIn(text, 'example.org.', TYPES);

describe('22.2 filters in a search text', () => {
  it.each([
    ['type:MX', { type: 'MX' }, ''],
    ['type:mx,txt mail', { type: 'MX,TXT' }, 'mail'],
    ['www ttl<5m host', { ttl_below: '300' }, 'www host'],
    ['ttl>1h', { ttl_above: '3600' }, ''],
    ['ttl>=60 ttl<=300', { ttl_above: '59', ttl_below: '301' }, ''],
    ['ttl:300', { ttl_above: '299', ttl_below: '301' }, ''],
    ['ttl=0', { ttl_below: '1' }, ''],
    ['changed:today', { changed: 'today' }, ''],
    ['changed:7d', { changed: '7d' }, ''],
    ['name:www', { name: 'www.example.org.' }, ''],
    ['name:@', { name: 'example.org.' }, ''],
    ['data:192.0.2.1', { data: '192.0.2.1' }, ''],
    ['data:"v=spf1 -all" type:TXT', { data: '"v=spf1 -all"', type: 'TXT' }, ''],
  ])('reads %j', (text, filters, rest) => {
    expect(read(text)).toEqual({ filters, rest });
  });

  it.each([
    'type:FOO',
    'type:',
    'ttl<soon',
    'ttl<0',
    'changed:7',
    'changed:later',
    'mx type',
    'type<MX',
    '2001:db8::1',
  ])('searches for %j as text', (text) => {
    expect(read(text)).toEqual({ filters: {}, rest: text });
  });

  it('drops values of the address that the service would refuse', () => {
    const filters = {
      ...NO_FILTERS,
      type: 'BOGUS',
      name: 'x.',
      ttl_above: '-1',
      ttl_below: '99999999999',
      changed: 'x',
    };
    expect(validFilters(filters, TYPES)).toEqual({ ...NO_FILTERS, name: 'x.' });
  });

  it('begins today at midnight of the reader, and durations before now', () => {
    const now = new Date('2027-01-31T10:00:00.500Z');
    expect(sinceOf('7d', now)).toBe('2027-01-24T10:00:00Z');
    expect(sinceOf('', now)).toBe('');
    expect(new Date(sinceOf('today', now)).getHours()).toBe(0);
  });
});
