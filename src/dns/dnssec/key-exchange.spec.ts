import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newSigningKey } from '../../../test/support/signed-model.js';
import { DomainName } from '../name.js';
import {
  KeyExchangeError,
  partsOfResponse,
  readRequests,
  readResponses,
  signRequests,
  writeRequests,
} from './key-exchange.js';
import { isSignatureOf, readRrsig } from './rrsig.js';

const APEX = DomainName.parse('a\\.b.Example.org.');
const [KSK, ZSK, OTHER] = [await newSigningKey(13), await newSigningKey(13), await newSigningKey(13)];
const FROM = 1_764_500_000;
const DAY = 86_400;
const REQUESTS = [0, 7].map((days) => ({
  ...{ from: FROM + days * DAY, ttl: 3600, dnskeys: [ZSK.dnskey] },
  ...{ ksks: [KSK.tag], inCds: [KSK.tag] },
}));
const REQUEST = writeRequests(APEX, REQUESTS, '2026-11-30');

describe('key signing requests', () => {
  it('are read as they were written', () => {
    const read = readRequests(REQUEST, APEX);
    expect(read.map(({ dnskeys, ...rest }) => ({ ...rest, dnskeys: dnskeys.map((key) => [...key]) }))).toEqual(
      REQUESTS.map((one) => ({ ...one, dnskeys: [[...ZSK.dnskey]] })),
    );
  });

  it('of BIND and Knot have no tags, and BIND writes the time as a date', () => {
    const theirs = REQUEST.replace(/^; KSK.*\n/gm, '').replace(
      String(FROM),
      '20251130105320 (Sun Nov 30 10:53:20 2025)',
    );
    expect(readRequests(theirs, APEX)).toMatchObject([
      { from: FROM, ksks: null, inCds: null },
      { from: FROM + 7 * DAY, ksks: null, inCds: null },
    ]);
  });

  it('need the private keys of their KSKs', () => {
    expect(() => signRequests(APEX, REQUESTS, [OTHER], DAY, 'now')).toThrow(KeyExchangeError);
  });
});

describe('signed key responses', () => {
  const response = signRequests(APEX, readRequests(REQUEST, APEX), [KSK], 14 * DAY, 'now');

  it('have three signed sets for each time', () => {
    const sets = readResponses(response, APEX);
    expect(sets.map(({ set }) => set.type)).toEqual([48, 60, 59, 48, 60, 59]);
    for (const { set, signatures } of sets) {
      expect(signatures.map((rrsig) => isSignatureOf(rrsig, set, KSK, APEX))).toEqual([true]);
      const { inception, expiration } = readRrsig(signatures[0]!);
      expect(expiration - inception).toBe(14 * DAY + 3 * 3600);
    }
  });

  it('are read in parts as in one piece', () => {
    const [, ...parts] = partsOfResponse(`; of a machine\n${response}`);
    const read = parts.flatMap(({ text, linesBefore }) => readResponses(text, APEX, linesBefore));
    expect(read).toEqual(readResponses(response, APEX));
    expect(parts.map(({ linesBefore }) => linesBefore)).toEqual([1, 9]);
  });

  it('are refused with a message for any other text', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom(...response.split('\n')),
      fc.constantFrom(...REQUEST.split('\n')),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        for (const read of [readRequests, readResponses])
          try {
            read(lines.join('\n'), APEX);
          } catch (error) {
            expect(error).toBeInstanceOf(KeyExchangeError);
          }
      }),
      { numRuns: 300 },
    );
  });
});
