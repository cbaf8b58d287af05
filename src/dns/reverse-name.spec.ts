import { describe, expect, it } from '@jest/globals';
import { DomainName } from './name.js';
import { addressOfReverse, isRangeOf, reverseName } from './reverse-name.js';

const LONG = `1.0.0.0.${'0.'.repeat(20)}8.b.d.0.1.0.0.2.ip6.arpa.`;

describe('26.2 the owner name of an address', () => {
  it.each([
    ['c0000201', '1.2.0.192.in-addr.arpa.'],
    [`20010db8${'0'.repeat(23)}1`, LONG],
  ])('of %s', (hex, name) => {
    const rdata = Buffer.from(hex, 'hex');
    expect(reverseName(rdata).toString()).toBe(name);
    expect(Buffer.from(addressOfReverse(DomainName.parse(name.toUpperCase())) ?? []).toString('hex')).toBe(hex);
  });

  it.each([
    '2.0.192.in-addr.arpa.',
    '01.2.0.192.in-addr.arpa.',
    '256.2.0.192.in-addr.arpa.',
    'a.2.0.192.in-addr.arpa.',
  ])('%s is that of no address', (name) => expect(addressOfReverse(DomainName.parse(name))).toBeNull());

  it.each(['example.org.', LONG.slice(2), LONG.replace('1', 'g'), 'in-addr.arpa.', '.'])(
    '%s is that of no address',
    (name) => expect(addressOfReverse(DomainName.parse(name))).toBeNull(),
  );
});

describe('26.3 a part of an IPv4 network', () => {
  it.each([
    ['0/25', 0, 127],
    ['128/25', 128, 255],
    ['0-25', 0, 127],
    ['64-26', 64, 127],
    ['10-19', 10, 19],
    ['0-127', 0, 127],
    ['7/32', 7, 7],
  ])('%s has %i to %i', (label, from, to) => {
    const inside = Array.from({ length: 256 }, (_, octet) => octet).filter((octet) => isRangeOf(label, octet));
    expect([inside[0], inside.at(-1), inside.length]).toEqual([from, to, to - from + 1]);
  });

  it.each(['1/25', '0/24', '0/33', '200-300', '19-10', 'a-b', '5', '', '0/25/26'])('%s has none', (label) => {
    expect(Array.from({ length: 256 }, (_, octet) => octet).some((octet) => isRangeOf(label, octet))).toBe(false);
  });
});
