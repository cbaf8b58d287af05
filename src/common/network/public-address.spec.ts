import { describe, expect, it } from '@jest/globals';
import { isPublicElsewhere } from './public-address.js';

describe('what everybody can reach', () => {
  it.each(['9.9.9.9', '223.255.255.255', '2620:fe::fe', '2a00:1450::1'])('%s', (address) =>
    expect(isPublicElsewhere(address)).toBe(true),
  );

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.0.2.1',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:9.9.9.9',
    '::ffff:10.1.2.3',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2001:0:7f00:1::',
    '2001:db8::1',
    '2002:7f00:1::',
    'fd00::1',
    'fe80::1',
    'ff02::1',
    '127.1',
    '2130706433',
    'example.org',
    '',
  ])('not %j', (address) => expect(isPublicElsewhere(address)).toBe(false));
});
