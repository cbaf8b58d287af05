import { describe, expect, it } from '@jest/globals';
import { AllowedMasters } from './allowed-masters.js';

describe('where masters may be', () => {
  const anywhere = new AllowedMasters([]);

  it.each(['192.0.2.1', '9.9.9.9', '223.255.255.255', '2001:db8::1', '2620:fe::fe', '::ffff:9.9.9.9'])(
    '%s, unless told otherwise',
    (address) => expect(anywhere.allows(address)).toBe(true),
  );

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:10.1.2.3',
    '64:ff9b::7f00:1',
    'fd00::1',
    'fe80::1',
    'ff02::1',
  ])('not %s, unless told otherwise', (address) => expect(anywhere.allows(address)).toBe(false));

  it('where they are allowed, and nowhere else', () => {
    const somewhere = new AllowedMasters(['10.0.0.0/8', '::1']);
    expect(['10.1.2.3', '::ffff:10.1.2.3', '::1'].map((address) => somewhere.allows(address))).not.toContain(false);
    expect(['9.9.9.9', '127.0.0.1', '2001:db8::1'].map((address) => somewhere.allows(address))).not.toContain(true);
  });
});
