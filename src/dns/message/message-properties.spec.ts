import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { anyMessage, comparable } from '../../../test/support/messages.js';
import { HEADER_OCTETS } from './wire.js';
import { readMessage } from './message-reader.js';
import { framed, writeMessage } from './message-writer.js';

describe('messages of all record types', () => {
  it('are read back unchanged', () => {
    fc.assert(
      fc.property(anyMessage(), (content) => {
        expect(comparable(readMessage(writeMessage(content)))).toEqual(comparable(content));
      }),
      { numRuns: 500 },
    );
  });

  it('are written the same again', () => {
    fc.assert(
      fc.property(anyMessage(), (content) => {
        const octets = writeMessage(content);
        expect(writeMessage(readMessage(octets)).equals(octets)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('are refused when an octet is missing at the end, or one too many', () => {
    fc.assert(
      fc.property(anyMessage(), (content) => {
        const octets = writeMessage(content);
        expect(() => readMessage(Buffer.concat([octets, Buffer.alloc(1)]))).toThrow('too many');
        if (octets.length > HEADER_OCTETS) expect(() => readMessage(octets.subarray(0, -1))).toThrow();
      }),
      { numRuns: 200 },
    );
  });
});

describe('framed', () => {
  it('puts the length in front', () => {
    expect([...framed(Uint8Array.of(7, 8))]).toEqual([0, 2, 7, 8]);
    expect(framed(new Uint8Array(0xffff)).readUInt16BE()).toBe(0xffff);
    expect(() => framed(new Uint8Array(0x10000))).toThrow(RangeError);
  });
});
