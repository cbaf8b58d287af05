import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isAddressWithin, isNetwork, isNetworkWithin, isPublicElsewhere, clientOfAddress } from './network.js';

const ipv4 = fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })).map(([address, bits]) => `${address}/${bits}`);
const ipv6 = fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })).map(([address, bits]) => `${address}/${bits}`);
const anyNetwork = fc.oneof(ipv4, ipv6).filter(isNetwork);

describe('networks', () => {
  it.each([
    ['192.0.2.1', '192.0.2.0/24', true],
    ['192.0.3.1', '192.0.2.0/24', false],
    ['::ffff:192.0.2.1', '192.0.2.0/24', true],
    ['192.0.2.1', '::/0', false],
    ['192.0.2.1', '::/1', false],
    ['192.0.2.1', '0.0.0.0/0', true],
    ['2001:db8::1', '0.0.0.0/0', false],
    ['2001:db8::1', '2001:db8::/32', true],
    ['fe80::1%eth0', 'fe80::/10', true],
    ['', '0.0.0.0/0', false],
    ['nothing', '::/0', false],
  ])('14.2 %s is in %s: %s', (address, network, isWithin) => {
    expect(isAddressWithin(address, [network])).toBe(isWithin);
  });

  it.each(['', '192.0.2.0/', '192.0.2.0/33', '192.0.2/24', '2001:db8::/129', '::ffff:192.0.2.1', 'fe80::1%eth0', 'a'])(
    '14.2 %j is none',
    (network) => {
      expect(isNetwork(network)).toBe(false);
    },
  );

  it('14.2 lie within another only where all of their addresses do', () => {
    fc.assert(
      fc.property(anyNetwork, fc.nat(128), fc.nat(128), (network, one, other) => {
        const [address = ''] = network.split('/');
        const [narrower, wider] = [`${address}/${one}`, `${address}/${other}`];
        if (!isNetwork(narrower) || !isNetwork(wider)) return true;
        return isNetworkWithin(narrower, wider) === one >= other && isAddressWithin(address, [narrower, wider]);
      }),
    );
    fc.assert(fc.property(anyNetwork, (network) => isNetworkWithin(network, network)));
  });
});

describe('public addresses', () => {
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

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['not an address', 'not an address'],
  ['', ''],
])('%s is the client %s', (address, client) => {
  expect(clientOfAddress(address)).toBe(client);
});
