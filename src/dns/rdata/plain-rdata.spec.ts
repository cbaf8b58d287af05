import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { validRdata } from '../../../test/support/valid-rdata.js';
import { STANDARD_TYPES } from './index.js';
import { isPlainRdata } from './plain-rdata.js';

const COMMON = STANDARD_TYPES.filter(({ name }) =>
  ['A', 'AAAA', 'NS', 'CNAME', 'PTR', 'MX', 'SRV', 'TXT'].includes(name),
);

describe.each(COMMON.map((type) => [type.name, type] as const))('plain RDATA of %s', (_, type) => {
  it('equals the output of the type itself', () => {
    fc.assert(
      fc.property(validRdata(type), (rdata) => {
        expect(isPlainRdata(type.code, rdata)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('is readable after any damage', () => {
    const damaged = fc
      .tuple(validRdata(type), fc.nat(300), fc.nat(255), fc.nat(300))
      .map(([rdata, at, octet, length]) => rdata.map((old, place) => (place === at ? octet : old)).slice(0, length));
    fc.assert(
      fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 40 })), (rdata) => {
        if (isPlainRdata(type.code, rdata)) expect(() => type.toText(rdata)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});

it('says nothing of other types', () => {
  expect(isPlainRdata(257, Uint8Array.of(0, 1, 65))).toBe(false);
});
