import { isIPv4, isIPv6 } from 'node:net';

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from './address.js';

describe('addresses', () => {
  const piece = fc.oneof(
    fc.constantFrom('0', '1', '01', '255', '256', '10', 'ffff', '0db8', '12345', 'g', '', '%1', ' ', '.', ':', '::'),
    fc.nat({ max: 300 }).map(String),
    fc.nat({ max: 0xffff }).map((group) => group.toString(16)),
  );
  const text = fc
    .tuple(fc.array(piece, { minLength: 3, maxLength: 9 }), fc.constantFrom('.', ':', ''), fc.ipV6(), fc.ipV4())
    .chain(([pieces, joint, ipv6, ipv4]) =>
      fc.constantFrom(pieces.join(joint), ipv6, ipv4, `${pieces[0] ?? ''}${ipv6}`, `::${ipv4}`),
    );

  it('equal those that Node accepts, except scoped addresses', () => {
    fc.assert(
      fc.property(text, (any) => {
        expect([any, parseIpv4(any) !== undefined]).toEqual([any, isIPv4(any)]);
        expect([any, parseIpv6(any) !== undefined]).toEqual([any, isIPv6(any) && !any.includes('%')]);
      }),
      { numRuns: 2000 },
    );
  });

  it('are written unambiguously, IPv6 as in URLs', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.nat({ max: 0xffff }), (octets, mask) => {
        const sparse = octets.map((octet, at) => ((mask >> at) & 1 ? octet : 0));
        fc.pre(!formatIpv6(sparse).startsWith('::ffff:')); // URLs write IPv4-mapped addresses in hexadecimal
        expect(parseIpv4(formatIpv4(sparse.subarray(0, 4)))).toEqual(sparse.subarray(0, 4));
        expect(parseIpv6(formatIpv6(sparse))).toEqual(sparse);
        expect(new URL(`http://[${formatIpv6(sparse)}]`).hostname).toBe(`[${formatIpv6(sparse)}]`);
      }),
    );
  });
});
