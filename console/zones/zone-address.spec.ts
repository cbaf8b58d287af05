import { expect, it } from '@jest/globals';
import { zoneAddress, zoneIn } from './zone-address.js';

it('22.2 zones are in URLs by their names, with any characters', () => {
  for (const name of ['example.org.', '0/25.2.0.192.in-addr.arpa.', 'a%2fb.example.org.', '<b>?#', '.'])
    expect(zoneIn(`/console${zoneAddress(name, 'records')}`)).toBe(name);
  expect(zoneIn('/console/zones/100%/records')).toBe('100%');
});
