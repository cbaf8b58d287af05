import { describe, expect, it } from '@jest/globals';

import { type Edns, EdnsOptionCode, ednsOption, optOctets, udpPayloadLimit } from './edns.js';

const EDNS: Edns = {
  udpPayloadSize: 1232,
  version: 0,
  isDnssecOk: true,
  options: [{ code: 10, data: Uint8Array.of(7) }],
};

it('an OPT record has size, RCODE, version, DO and options (RFC 6891 §6.1)', () => {
  expect(Buffer.from(optOctets(EDNS, 0xabc)).toString('hex')).toBe('00002904d0ab0080000005000a000107');
});

it('an option is found by its code', () => {
  expect(ednsOption(EDNS, EdnsOptionCode.COOKIE)).toEqual(Uint8Array.of(7));
  expect(ednsOption(EDNS, EdnsOptionCode.NSID)).toBeUndefined();
  expect(ednsOption(null, EdnsOptionCode.COOKIE)).toBeUndefined();
});

describe('udpPayloadLimit', () => {
  it.each([
    ['without EDNS', null, 512],
    ['with less than every receiver takes', 100, 512],
    ['with more than we send', 4096, 1232],
    ['with something between', 900, 900],
  ])('is the datagram size %s', (_, size, limit) => {
    expect(udpPayloadLimit(size === null ? null : { ...EDNS, udpPayloadSize: size }, 1232)).toBe(limit);
  });
});
