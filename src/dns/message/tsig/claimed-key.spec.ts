import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { anyMessage, AXFR_QUERY } from '../../../../test/support/messages.js';
import { KEY, NOW } from '../../../../test/support/tsig.js';
import { writeMessage } from '../message-writer.js';
import { claimedKeyOf } from './claimed-key.js';
import { TsigClient } from './tsig-client.js';
import { algorithmName } from './tsig-key.js';

describe('claimedKeyOf', () => {
  it('finds the key of any signed message, and none in one without a signature', () => {
    fc.assert(
      fc.property(anyMessage(), (content) => {
        const message = writeMessage(content);
        expect(claimedKeyOf(message)).toBeNull();
        const found = claimedKeyOf(sign(message));
        expect(found?.name.key).toBe(KEY.name.key);
        expect(found?.algorithm.equals(algorithmName(KEY.algorithm))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('bears any octets, and messages that were cut or changed', () => {
    const signed = sign(AXFR_QUERY);
    const changed = fc.tuple(fc.nat(signed.length - 1), fc.nat(255), fc.nat(signed.length)).map(([at, octet, end]) =>
      Buffer.from(signed)
        .fill(octet, at, at + 1)
        .subarray(0, end),
    );
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), changed), (octets) => {
        claimedKeyOf(octets);
      }),
      { numRuns: 2000 },
    );
  });
});

function sign(message: Uint8Array): Buffer {
  return new TsigClient(KEY, () => NOW).sign(message);
}
